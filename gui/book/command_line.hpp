// What the window shows, as a command for a terminal.
#pragma once

#include <string>

namespace warpbook::gui {

class Book;

/// `./warpbook run CHAPTER ...` with every parameter that differs from the chapter's own, the GPU and the seed; while an
/// exercise is worked at, `./warpbook check ID ...`. A text that the reader wrote comes before it and goes into a file of its own
/// below /tmp, so that the whole can be pasted into bash anywhere in the book's folder. Empty where no chapter is open.
std::string command_of(const Book& book);

}  // namespace warpbook::gui
