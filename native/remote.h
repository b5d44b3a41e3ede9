/* Process separation: the mailbox between the test's process and the candidate's. See docs/isolation.md. */
#ifndef HO_REMOTE_H
#define HO_REMOTE_H
#include <stddef.h>
#include <stdint.h>

/* Answers one call. Exported by the server unit that is linked into the candidate; returns the reply's size. */
typedef size_t ho_dispatch_fn(unsigned operation, unsigned object, const unsigned char *arguments, size_t size,
                              const unsigned char **reply);

/* What ended the test's process early: the second byte of the proof record 'R'. */
enum { REMOTE_ENDED = 0, REMOTE_MALFORMED = 1, REMOTE_TOO_LONG = 2 };
/* How the candidate's process ended its work. */
enum { WORK_UNFINISHED = 0, WORK_CLEAN = 1, WORK_LEAKED = 2 };

void remote_prepare(void);                         /* supervisor, before it forks */
void remote_become_test(void (*fail)(uint8_t));    /* `fail` must not return */
void remote_become_candidate(void);                /* gives up what only test and supervisor share */
void remote_serve(ho_dispatch_fn *dispatch);       /* candidate: returns when the test is done */
void remote_acknowledge(int leaks);                /* candidate: everything was served to the end */
void remote_close(void);                           /* test: no more calls; waits for the candidate's end */
int remote_note_end(int *early);                   /* supervisor, once the candidate is reaped; a WORK_ value */
#endif
