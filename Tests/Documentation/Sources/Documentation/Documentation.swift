/// Nothing: the package only carries the documentation plugin.
enum Documentation {}
