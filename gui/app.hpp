// The window's door: all that cli/main.cpp may know of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "lab/document/document.hpp"
#include "lab/report/report.hpp"

namespace warpbook::gui {

struct OpenOptions {
  std::string chapter;       ///< slug; empty: where the reader left off, else the first
  std::string root;          ///< where lessons/ and lang/ lie
  std::string state_folder;  ///< answers, edits, place
};
/// Opens the book and returns the exit code when it is closed. No display: 3, with the remedy on standard error.
int open_window(const OpenOptions& options);

struct ShotOptions {
  std::string chapter;
  std::string out;  ///< .png
  int width = 1440, height = 900;
  float scale = 1;
  std::string theme = "dark";
  lab::Language language = lab::Language::english;
  lab::Inputs inputs;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> thread;  ///< linked: block, thread in it
  std::uint32_t line = 0;          ///< of the source: linked where no thread is; 0: none
  bool ptx = false, sass = false;  ///< shown with the source
  bool lab_alone = false;          ///< in a window too narrow for both: the lab, not the text
  std::string step;                ///< scrolls there; empty: the start
  std::string find;                ///< words to find in the chapter; empty: none
  std::string term;                ///< opens the glossary at it; empty: closed
  lab::AnswersGiven answers;       ///< questions answered beforehand; others stay veiled
  std::string root;
};
/// Draws a chapter after its run into a PNG; needs no display. Exit code as for the command line.
int shot(const ShotOptions& options);

}  // namespace warpbook::gui
