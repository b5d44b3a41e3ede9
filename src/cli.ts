#!/usr/bin/env node
/** argv → one lazily loaded command. */
process.stderr.write("hidden-oracle: no command yet\n");
process.exitCode = 64;
