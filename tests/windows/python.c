/* python.exe: the wheels that the DLLs come from have none. */
#include <windows.h>
#include <stdio.h>

int wmain(int count, wchar_t **words) {
    HMODULE library = LoadLibraryW(PYTHON);
    int (*run)(int, wchar_t **) = library ? (void *)GetProcAddress(library, "Py_Main") : NULL;
    if (!run) {
        fwprintf(stderr, L"%ls cannot be loaded: error %lu\n", PYTHON, GetLastError());
        return 120;
    }
    return run(count, words);
}
