"""`python -m deepseedian` is the command line."""

from deepseedian.cli.main import main

if __name__ == "__main__":
    main()
