extension Mirror {
    /// The mirror of a value that holds values of records, any of which may be sensitive: without children, so that
    /// `dump`, a debugger and a test that failed show the description alone.
    package init<Subject>(hiding subject: Subject) {
        self.init(subject, children: EmptyCollection<Child>())
    }
}
