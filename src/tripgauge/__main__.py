"""`python -m tripgauge`."""

from tripgauge.cli import main

main()
