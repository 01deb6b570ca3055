// What a reader takes out of the book: an exhibit as a picture or as text, to the clipboard or into a file.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "device/error.hpp"
#include "lab/exhibits/exhibit.hpp"

namespace warpbook::gui {

class Book;

struct Export {
  enum class What : std::uint8_t { image, csv, markdown };
  enum class To : std::uint8_t { clipboard, file };
  What what = What::image;
  To to = To::clipboard;
  lab::Exhibit exhibit;
};

/// Where exports go; the window has all of them.
struct Outlets {
  std::function<void(const std::string& text)> copy_text;
  std::function<std::string(std::string png)> copy_image;  ///< why not; empty where done
  std::function<device::Expected<std::string>(const Book& book, const lab::Exhibit& exhibit)>
      draw;                      ///< a PNG
  std::filesystem::path folder;  ///< of files
};
/// Carries it out and says in the corner what came of it. Files never replace others: their names are numbered.
void carry_out(const Export& wanted, Book& book, const Outlets& outlets);

/// Where a reader expects what a program saves: the desktop's folder for downloads, else their home.
std::filesystem::path downloads_folder();
/// Where a reader keeps pictures: the desktop's folder for them, else their home.
std::filesystem::path pictures_folder();

}  // namespace warpbook::gui
