// Exports of an exhibit as a picture or as text, to the clipboard or into a file.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "device/error.hpp"
#include "lab/exhibits/exhibit.hpp"

namespace warpbook::gui {

class Book;

struct Export {
  enum class What : std::uint8_t { image, csv, markdown, words };
  enum class To : std::uint8_t { clipboard, file };
  What what = What::image;
  To to = To::clipboard;
  lab::Exhibit exhibit;
};

/// The outside world that exports go to, which the window provides.
struct Outlets {
  std::function<void(const std::string& text)> copy_text;
  std::function<std::string(std::string png)> copy_image;  ///< empty, or why it failed
  std::function<device::Expected<std::string>(const Book& book, const lab::Exhibit& exhibit)>
      draw;                      ///< a PNG
  std::filesystem::path folder;  ///< of files
};
/// Carries an export out, and reports the result as a toast. Never overwrites a file: names are numbered instead.
void carry_out(const Export& wanted, Book& book, const Outlets& outlets);

/// The desktop's folder for downloads; the home folder where there is none.
std::filesystem::path downloads_folder();
/// Where the window keeps what readers draw in it, in the state folder.
std::filesystem::path drawings_folder();
/// The desktop's folder for pictures; the home folder where there is none.
std::filesystem::path pictures_folder();

}  // namespace warpbook::gui
