/* A shared object that the candidate's depends on, so that its constructor runs before any of theirs. */
void ho_gate(void);
__attribute__((constructor)) static void close_gate(void) { ho_gate(); }
