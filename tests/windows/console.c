/* Escape sequences for Wine's console, which prints them where Windows carries them out.

   Between PDCurses, in _curses.pyd, and the console: CONSOLE=256 shows each colour as the nearest of
   the console's 16; CONSOLE=16 refuses escape sequences, as consoles before Windows 10 did. */
#include <windows.h>
#include <stdlib.h>
#include <string.h>

static const WORD BY_CONSOLE[8] = {0, 4, 2, 6, 1, 5, 3, 7};
static int refused, foreground = 7, background = 0, underlined;

static void levels(int colour, int rgb[3]) {
    static const int steps[6] = {0, 95, 135, 175, 215, 255};
    for (int i = 0; i < 3; i++)
        if (colour >= 232) rgb[i] = 8 + 10 * (colour - 232);
        else if (colour >= 16) rgb[i] = steps[(colour - 16) / (i == 0 ? 36 : i == 1 ? 6 : 1) % 6];
        else if (colour == 7) rgb[i] = 192;
        else if (colour == 8) rgb[i] = 128;
        else rgb[i] = colour >> i & 1 ? (colour & 8 ? 255 : 128) : 0;
}

static WORD nearest(int colour) {
    int wanted[3], other[3], best = 0;
    long least = -1;
    levels(colour, wanted);
    for (int each = 0; each < 16; each++) {
        long distance = 0;
        levels(each, other);
        for (int i = 0; i < 3; i++) distance += (long)(wanted[i] - other[i]) * (wanted[i] - other[i]);
        if (least < 0 || distance < least) least = distance, best = each;
    }
    return (best & 8) | BY_CONSOLE[best & 7];
}

static BOOL WINAPI mode(HANDLE console, DWORD wanted) {
    if (refused && wanted == ENABLE_VIRTUAL_TERMINAL_PROCESSING) {
        SetLastError(ERROR_INVALID_PARAMETER);
        return FALSE;
    }
    return SetConsoleMode(console, wanted);
}

static BOOL WINAPI write(HANDLE console, const void *text, DWORD size, DWORD *written, void *unused) {
    const char *bytes = text;
    char copy[128] = "";
    int numbers[16], n = 0;
    if (size < 3 || size >= sizeof copy || bytes[0] != 27)
        return WriteConsoleA(console, text, size, written, unused);
    memcpy(copy, bytes + 2, size - 3); /* without "ESC [" and "m" */
    for (char *word = strtok(copy, ";"); word && n < 16; word = strtok(NULL, ";")) numbers[n++] = atoi(word);
    for (int i = 0; i < n; i++) {
        int each = numbers[i];
        if ((each == 38 || each == 48) && i + 2 < n) {
            *(each == 38 ? &foreground : &background) = numbers[i + 2];
            i += 2;
        } else if (each == 4 || each == 24) underlined = each == 4;
        else if (each == 39) foreground = 7;
        else if (each == 49) background = 0;
        else if (each >= 30 && each < 38) foreground = each - 30;
        else if (each >= 40 && each < 48) background = each - 40;
        else if (each >= 90 && each < 98) foreground = each - 82;
        else if (each >= 100 && each < 108) background = each - 92;
    }
    SetConsoleTextAttribute(console, nearest(foreground) | nearest(background) << 4 | (underlined ? 0x8000 : 0));
    if (written) *written = size;
    return TRUE;
}

/* Replace both functions in the imports of a loaded module; return the number replaced. */
__declspec(dllexport) int stand_between(char *module) {
    static const struct { const char *name; void *ours; } hooks[] = {
        {"SetConsoleMode", mode}, {"WriteConsoleA", write}};
    const char *kind = getenv("CONSOLE");
    int replaced = 0;
    refused = kind && !strcmp(kind, "16");
    IMAGE_NT_HEADERS *head = (void *)(module + ((IMAGE_DOS_HEADER *)module)->e_lfanew);
    IMAGE_IMPORT_DESCRIPTOR *library =
        (void *)(module + head->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT].VirtualAddress);
    for (; library->Name; library++) {
        IMAGE_THUNK_DATA *name = (void *)(module + library->OriginalFirstThunk);
        IMAGE_THUNK_DATA *place = (void *)(module + library->FirstThunk);
        for (; name->u1.AddressOfData; name++, place++) {
            if (IMAGE_SNAP_BY_ORDINAL(name->u1.Ordinal)) continue;
            IMAGE_IMPORT_BY_NAME *imported = (void *)(module + name->u1.AddressOfData);
            for (int i = 0; i < 2; i++) {
                DWORD before;
                if (strcmp((char *)imported->Name, hooks[i].name)) continue;
                VirtualProtect(place, sizeof *place, PAGE_READWRITE, &before);
                place->u1.Function = (ULONGLONG)hooks[i].ours;
                VirtualProtect(place, sizeof *place, before, &before);
                replaced++;
            }
        }
    }
    return replaced;
}
