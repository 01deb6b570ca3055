#include "cli/commands/doctor_window.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "device/platform.hpp"
#include "device/unique_fd.hpp"

namespace warpbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSetUp = "./warpbook";

// The folders that the window looks in (gui/draw/fonts.cpp).
bool has_font(const std::string& name) {
  std::vector<fs::path> folders{device::executable_path().parent_path() / "fonts"};
  if (const char* home = std::getenv("HOME"))
    folders.push_back(fs::path(home) / ".local/share/fonts");
  folders.emplace_back("/usr/local/share/fonts");
  folders.emplace_back("/usr/share/fonts");
  std::error_code ignored;
  for (const fs::path& folder : folders) {
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                        ignored);
    for (const fs::recursive_directory_iterator end; !ignored && at != end; at.increment(ignored)) {
      if (at->path().filename() == name) return true;
    }
  }
  return false;
}

void look_at_fonts(lab::Machine& machine) {
  struct Font {
    const char* name;
    const char* file;
    const char* remedy;
  };
  lab::MachinePart fonts{"fonts", {}, {}, {}, {}, {}};
  std::string missing;
  for (const Font& font : {Font{"Roboto", "Roboto-Regular.ttf", kSetUp},
                           Font{"JetBrains Mono", "JetBrainsMono-Regular.ttf",
                                "sudo apt-get install fonts-jetbrains-mono"},
                           Font{"WenQuanYi Micro Hei", "wqy-microhei.ttc",
                                "sudo apt-get install fonts-wqy-microhei"}}) {
    if (has_font(font.file)) {
      fonts.found.emplace_back(font.name);
    } else {
      missing += (missing.empty() ? "" : ", ") + std::string(font.name);
      // The set-up brings all of them.
      fonts.remedy = fonts.remedy.empty() ? font.remedy : kSetUp;
    }
  }
  if (!missing.empty()) {
    fonts.missing = "no-font";
    fonts.arguments = {{"fonts", missing}};
  }
  machine.parts.push_back(std::move(fonts));
}

// ":3" and ":3.0" are the socket X3; what is on another machine is taken at its word.
bool answers(const std::string& display) {
  if (!display.starts_with(":")) return true;
  const std::string number = display.substr(1, display.find('.') - 1);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = "/tmp/.X11-unix/X" + number;
  if (path.size() >= sizeof address.sun_path) return false;
  std::ranges::copy(path, address.sun_path);
  const device::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return socket &&
         ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

void look_at_display(lab::Machine& machine) {
  lab::MachinePart display{"display", {}, {}, {}, {}, {}};
  const char* const name = std::getenv("DISPLAY");
  if (name == nullptr || name[0] == '\0') {
    display.missing = "no-display";
  } else if (!answers(name)) {
    display.missing = "dead-display";
    display.arguments = {{"name", name}};
  } else {
    display.found = {name};
  }
  machine.parts.push_back(std::move(display));
}

}  // namespace

void look_at_window(const device::Expected<std::string>& opengl, lab::Machine& machine) {
  lab::MachinePart renderer{"opengl", {}, {}, {}, {}, {}};
  if (opengl) {
    renderer.found = {*opengl};
  } else {
    renderer.error = opengl.error();
    renderer.remedy = "sudo apt-get install libegl-mesa0 libgl1-mesa-dri";
  }
  machine.parts.push_back(std::move(renderer));
  look_at_fonts(machine);
  look_at_display(machine);
}

}  // namespace warpbook::cli
