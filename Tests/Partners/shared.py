"""Makes the modules of Tests/Cluster available."""
import pathlib
import sys

CLUSTER = str(pathlib.Path(__file__).resolve().parents[1] / "Cluster")
if CLUSTER not in sys.path:
    # After this folder: its own modules come first.
    sys.path.append(CLUSTER)
