"""What pyproject.toml cannot say: the files of data/ are shipped inside the package."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["lectures_lib*", "lectures_homework*"]), "lectures_lib.data"],
    package_dir={"lectures_lib.data": "data"},
    package_data={"lectures_lib.data": ["*"]},
)
