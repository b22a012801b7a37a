"""The system calls that no homework needs, refused by the kernel before they begin.

A namespace hides files and networks, but memory shared between processes, keys, and namespaces
within namespaces would be ways around the limits. The filter is the program that the kernel's
seccomp runs for each system call: instructions of 8 bytes, see seccomp(2).
"""

import platform
import struct

#: Refused with "operation not permitted": numbers on x86_64 and on aarch64.
REFUSED = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "vmsplice": (278, 75),
    "socket": (41, 198),
    "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "fanotify_init": (300, 262),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "personality": (135, 92),
    "syslog": (103, 116),
    "quotactl": (179, 60),
    "acct": (163, 89),
    "swapon": (167, 224),
    "reboot": (169, 142),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
}
#: Refused as if the kernel were too old for it, so that the C library asks for `clone` instead.
CLONE3 = 435
#: Allowed unless it asks for a new user namespace.
CLONE, NEW_USER = (56, 220), 0x10000000
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERROR, _EPERM, _ENOSYS = 0x7FFF0000, 0x00050000, 1, 38
_NUMBER, _MACHINE, _FIRST_ARGUMENT = 0, 4, 16  # places in the data that the filter sees


def program(machine: str | None = None) -> bytes | None:
    """Return the filter for a kind of machine (default: this one), None for an unknown kind."""
    machine = platform.machine() if machine is None else machine
    if machine not in MACHINES:
        return None
    column, code = MACHINES[machine]
    lines = [(_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, code), (_RETURN, 0, 0, _ERROR | _EPERM)]
    lines += [(_LOAD, 0, 0, _NUMBER)]
    lines += _answer(_AT_LEAST, 0x40000000, _EPERM)  # the other calling convention of x86_64
    lines += _answer(_EQUAL, CLONE3, _ENOSYS)
    for numbers in REFUSED.values():
        lines += _answer(_EQUAL, numbers[column], _EPERM)
    lines += [(_EQUAL, 0, 3, CLONE[column]), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    lines += [*_answer(_ANY_BIT, NEW_USER, _EPERM), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def _answer(test: int, number: int, error: int) -> list[tuple[int, int, int, int]]:
    """Return two instructions: if the test holds, the call fails with this error."""
    return [(test, 0, 1, number), (_RETURN, 0, 0, _ERROR | error)]
