"""What the operator did wrong, told in one line."""


class UsageError(Exception):
    """A fault of the person who runs the program: a missing folder, an unknown task, an unreadable file.

    The command line prints its message as one line on standard error and exits with code 2. The message names the
    thing, its value and the way out.
    """
