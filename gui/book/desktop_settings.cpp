#include "gui/book/desktop_settings.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string>

namespace warpbook::gui {
namespace {
std::string plain(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '.')
      kept += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return kept;
}

/// Visits every `key=value` of an INI file, both in lower case and with letters, digits and full stops only.
template <class Visit>
void read_ini(const std::filesystem::path& file, const Visit& visit) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || line.starts_with('#')) continue;
    visit(plain(line.substr(0, equals)), plain(line.substr(equals + 1)));
  }
}

bool names_contrast(std::string_view name) {
  return name.find("highcontrast") != std::string_view::npos;
}
}  // namespace

DesktopSettings read_desktop_settings(const std::filesystem::path& settings) {
  DesktopSettings found;
  for (const char* file : {"gtk-3.0/settings.ini", "gtk-4.0/settings.ini"}) {
    read_ini(settings / file, [&](const std::string& key, const std::string& value) {
      if (key == "gtkenableanimations") found.reduced_motion |= value == "0" || value == "false";
      if (key == "gtkthemename") found.high_contrast |= names_contrast(value);
    });
  }
  read_ini(settings / "kdeglobals", [&](const std::string& key, const std::string& value) {
    if (key == "animationdurationfactor")
      found.reduced_motion |= !value.empty() && value.find_first_not_of("0.") == std::string::npos;
    if (key == "colorscheme") found.high_contrast |= names_contrast(value);
  });
  return found;
}

DesktopSettings desktop_settings() {
  const char* home = std::getenv("HOME");
  const char* given = std::getenv("XDG_CONFIG_HOME");
  DesktopSettings found;
  if (given && *given) {
    found = read_desktop_settings(given);
  } else if (home && *home) {
    found = read_desktop_settings(std::filesystem::path(home) / ".config");
  }
  if (const char* theme = std::getenv("GTK_THEME"))
    found.high_contrast |= names_contrast(plain(theme));
  return found;
}

}  // namespace warpbook::gui
