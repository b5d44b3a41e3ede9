/* What a shared object linked without the compiler's start files still needs: its own handle for destructors. */
void *__dso_handle __attribute__((visibility("hidden"))) = &__dso_handle;
