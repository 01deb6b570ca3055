#include "gui/book/exports.hpp"

#include <cstdlib>
#include <fstream>

#include "device/platform.hpp"
#include "gui/book/book.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"

namespace warpbook::gui {
namespace {
namespace fs = std::filesystem;

/// "first-kernel-wires.png", or with the first number that is still free: "first-kernel-wires-2.png".
fs::path free_name(const fs::path& folder, const std::string& stem, const std::string& extension) {
  std::error_code ignored;
  fs::path path = folder / (stem + extension);
  for (int number = 2; fs::exists(path, ignored); ++number)
    path = folder / (stem + "-" + std::to_string(number) + extension);
  return path;
}

device::Expected<std::string> bytes_of(const Export& wanted, const Book& book,
                                       const Outlets& outlets) {
  switch (wanted.what) {
    case Export::What::image: return outlets.draw(book, wanted.exhibit);
    case Export::What::csv: return lab::to_csv(lab::table_of(wanted.exhibit, book.strings()));
    case Export::What::markdown: return lab::to_markdown(wanted.exhibit, book.strings());
    case Export::What::words: return lab::to_text(wanted.exhibit, book.strings());
  }
  return std::string();
}

std::string extension_of(Export::What what) {
  switch (what) {
    case Export::What::image: return ".png";
    case Export::What::csv: return ".csv";
    case Export::What::markdown: return ".md";
    case Export::What::words: return ".txt";
  }
  __builtin_unreachable();
}

/// A folder of the desktop: by its key in user-dirs.dirs, else by its usual name in the home folder, else the home folder.
fs::path user_folder(const std::string& key, const char* usual) {
  const char* home_given = std::getenv("HOME");
  const fs::path home = home_given && *home_given ? fs::path(home_given) : fs::current_path();
  const char* settings = std::getenv("XDG_CONFIG_HOME");
  std::ifstream dirs((settings && *settings ? fs::path(settings) : home / ".config") /
                     "user-dirs.dirs");
  fs::path folder = home / usual;
  const std::string begin = key + "=\"";
  for (std::string line; std::getline(dirs, line);) {
    if (!line.starts_with(begin)) continue;
    std::string value = line.substr(begin.size());
    value = value.substr(0, value.find('"'));
    folder =
        value.starts_with("$HOME") ? fs::path(home.string() + value.substr(5)) : fs::path(value);
  }
  std::error_code ignored;
  return fs::is_directory(folder, ignored) ? folder : home;
}
}  // namespace

void carry_out(const Export& wanted, Book& book, const Outlets& outlets) {
  const auto say = [&](Toast::Kind kind, std::string text) { book.tell(kind, std::move(text)); };
  auto bytes = bytes_of(wanted, book, outlets);
  if (!bytes) return say(Toast::Kind::bad, book.strings()(bytes.error()));
  if (wanted.to == Export::To::file) {
    const std::string slug = book.lesson() ? book.lesson()->slug : "warpbook";
    const fs::path path =
        free_name(outlets.folder, slug + "-" + wanted.exhibit.id, extension_of(wanted.what));
    if (const auto written = device::write_file_atomically(path, *bytes); !written)
      return say(Toast::Kind::bad, book.strings()(written.error()));
    return say(Toast::Kind::ok, book.strings()("gui.menu.saved", {{"file", path.string()}}));
  }
  if (wanted.what != Export::What::image) {
    outlets.copy_text(*bytes);
  } else if (const std::string why = outlets.copy_image(std::move(*bytes)); !why.empty()) {
    return say(Toast::Kind::bad, book.strings()("gui.menu.not-copied", {{"why", why}}));
  }
  say(Toast::Kind::ok,
      book.strings()("gui.menu.copied", {{"title", book.strings()(wanted.exhibit.title)}}));
}

std::filesystem::path downloads_folder() { return user_folder("XDG_DOWNLOAD_DIR", "Downloads"); }
std::filesystem::path drawings_folder() { return device::state_folder() / "drawings"; }
std::filesystem::path pictures_folder() { return user_folder("XDG_PICTURES_DIR", "Pictures"); }

}  // namespace warpbook::gui
