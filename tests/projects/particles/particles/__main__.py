import sys

from particles.cli import main

sys.exit(main())
