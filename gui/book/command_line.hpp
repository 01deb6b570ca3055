// The run or check that the window shows, as a command for a terminal.
#pragma once

#include <string>

#include "lab/experiment/lesson.hpp"

namespace warpbook::gui {

class Book;

/// `./warpbook run CHAPTER ...` with the GPU, the seed, and every parameter that differs from the chapter's default; while
/// the reader works at an exercise, `./warpbook check ID ...`. Sources that the reader edited are written to files in /tmp by
/// lines before the command, so that the whole text can be pasted into bash in the book's folder. Empty where no chapter is
/// open.
std::string command_of(const Book& book);

/// The command that opens the window at this step of the chapter, with these parameters and GPU:
/// `./warpbook open 'coalescing?stride=8&step=compare'`.
std::string command_of_link(const lab::Lesson& lesson, const lab::Inputs& inputs,
                            const std::string& step);

/// The command that saves the chapter, with the run that the window shows, as one file for a browser:
/// `./warpbook export coalescing coalescing.html ...`. Empty where no chapter is open.
std::string command_of_export(const Book& book);

}  // namespace warpbook::gui
