// The templates are compiled in as byte arrays.
