/* python.exe: the wheels that the DLLs come from have none. */
#include <windows.h>
#include <stdio.h>

int wmain(int count, wchar_t **words) {
    HMODULE library = LoadLibraryW(PYTHON);
    HMODULE runtime = LoadLibraryW(L"ucrtbase.dll");
    void (*is_of)(int) = runtime ? (void *)GetProcAddress(runtime, "_set_app_type") : NULL;
    int (*run)(int, wchar_t **) = library ? (void *)GetProcAddress(library, "Py_Main") : NULL;
    if (!run) {
        fwprintf(stderr, L"%ls cannot be loaded: error %lu\n", PYTHON, GetLastError());
        return 120;
    }
    if (is_of) is_of(1); /* a console: or a descriptor that moves leaves its handle behind */
    return run(count, words);
}
