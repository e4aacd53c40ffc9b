// Empty until the sources are generated.
