#include "gui/book/desktop_settings.hpp"

#include <filesystem>
#include <fstream>

#include <catch2/catch_test_macros.hpp>

#include "tests/temporary_folder.hpp"

namespace warpbook::gui::desktop_settings_test {

TEST_CASE("what a desktop is set to is read from where it keeps it") {
  namespace fs = std::filesystem;
  const tests::TemporaryFolder temporary;
  const fs::path folder = temporary.path() / "config";
  const auto write = [&](const fs::path& file, const std::string& text) {
    fs::remove_all(folder);
    fs::create_directories((folder / file).parent_path());
    std::ofstream(folder / file) << text;
    return read_desktop_settings(folder);
  };
  CHECK(write("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=0\n") ==
        DesktopSettings{true, false});
  CHECK(write("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations = false\n") ==
        DesktopSettings{true, false});
  CHECK(write("gtk-3.0/settings.ini", "gtk-enable-animations=1\ngtk-theme-name=Adwaita\n") ==
        DesktopSettings{});
  CHECK(write("gtk-3.0/settings.ini", "gtk-theme-name=HighContrastInverse\n") ==
        DesktopSettings{false, true});
  CHECK(write("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n") == DesktopSettings{true, false});
  CHECK(write("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n") == DesktopSettings{});
  fs::remove_all(folder);
  CHECK(read_desktop_settings(folder) == DesktopSettings{});
}

}  // namespace warpbook::gui::desktop_settings_test
