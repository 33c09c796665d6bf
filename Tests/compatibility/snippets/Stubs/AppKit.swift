// The snippets only import it.
