// What the reader's desktop says of how it is to look and move. Nothing is asked of it that it does not keep in a file.
#pragma once

#include <filesystem>

namespace warpbook::gui {

struct DesktopSettings {
  bool reduced_motion = false;
  bool high_contrast = false;
  friend bool operator==(const DesktopSettings&, const DesktopSettings&) = default;
};
/// From GTK's settings.ini (gtk-enable-animations, gtk-theme-name) and KDE's kdeglobals (AnimationDurationFactor,
/// ColorScheme) in a folder of settings. What a desktop keeps elsewhere (GNOME's database) is not known: nothing wished.
DesktopSettings read_desktop_settings(const std::filesystem::path& settings);
/// In $XDG_CONFIG_HOME, else ~/.config; $GTK_THEME comes before what the files say.
DesktopSettings desktop_settings();

}  // namespace warpbook::gui
