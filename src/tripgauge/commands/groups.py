"""A group of commands one of which is meant where none is named: `tripgauge tools` and `tripgauge tools NAME`."""

from typing import Any

import typer.core


class DefaultGroup(typer.core.TyperGroup):
    """Reads `group WORD ...` as `group show WORD ...` if WORD is no command of it, and `group` as `group show`."""

    default = "show"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the default command in front where no command is named."""
        if not args or (args[0] not in self.commands and args[0] not in ("--help", "-h")):
            args = [self.default, *args]
        return super().parse_args(ctx, args)
