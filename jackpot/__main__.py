"""`python -m jackpot`, and the program `jackpot`."""

from jackpot.cli.app import app


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
