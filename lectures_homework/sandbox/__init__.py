"""The sandbox: what keeps it from outside is here, what runs in it is in ``inside``."""
