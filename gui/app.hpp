// The face of the room gui: everything that cli/main.cpp may use of the window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "lab/book/demo.hpp"
#include "lab/book/place_link.hpp"
#include "lab/document/document.hpp"
#include "lab/report/report.hpp"

namespace warpbook::gui {

/// Where the lecturer's notes are: in a window of their own if there is a second monitor, else in none until they are asked for.
enum class NotesPlace : std::uint8_t { automatic, window, pane, none };

/// The window opens with a lecture.
struct LectureOptions {
  std::optional<lab::Demo> demo;  ///< of the chapter that is opened; nothing: the chapter itself
  NotesPlace notes = NotesPlace::automatic;
  std::string votes;  ///< the file in which votes are kept; empty: votes.csv in the state folder
};

struct OpenOptions {
  std::string chapter;       ///< slug; empty: where the reader left off, else the first
  std::string root;          ///< the folder of lessons/ and lang/
  std::string state_folder;  ///< answers, edits, place
  std::string work_folder;   ///< the exercises' files; empty: exercises/ in the state folder
  std::string program =
      {};  ///< a .cu file, to open on the page of the reader's own program; empty: none
  std::string snippet =
      {};  ///< a kernel's source, to be put on the scratch page, which `chapter` is then; empty: none
  std::optional<lab::PlaceLink> link =
      {};  ///< where in `chapter` to open, and with what; it fits the chapter
  std::optional<LectureOptions> lecture = {};
};
/// Opens the book in a window, and returns the exit code when the reader closes it. Without a display: 3, and standard error
/// says what to do about it.
int open_window(const OpenOptions& options);

struct ShotOptions {
  std::string chapter;
  std::string out;  ///< .png
  int width = 1440, height = 900;
  float scale = 1;
  std::string theme = "dark";
  std::string language = lab::kEnglish;
  lab::Inputs inputs;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> thread;  ///< to link: block, thread in it
  std::uint32_t line = 0;          ///< of the source, to link if no thread is; 0: none
  bool ptx = false, sass = false;  ///< to show with the source
  bool lab_alone = false;          ///< shows the lab, not the text, in a window too narrow for both
  std::string step;                ///< scrolls there; empty: the start
  std::string find;                ///< words to find in the chapter; empty: none
  std::string term;                ///< opens the glossary at it; empty: closed
  std::string
      program;  ///< shows the page of the reader's own program with this file, after its run; empty: not
  lab::AnswersGiven
      answers;  ///< questions that count as answered; the others keep their figures covered
  std::optional<std::size_t> screen;  ///< shows this screen of a lecture, from 1; nothing: the page
  std::optional<lab::Demo> demo = {};  ///< the lecture, of `chapter`; nothing: the chapter itself
  std::string root;
};
/// Draws a chapter after its run into a PNG; needs no display. Exit code as for the command line.
int shot(const ShotOptions& options);

}  // namespace warpbook::gui
