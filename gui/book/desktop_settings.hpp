// Settings of the reader's desktop that the window follows: reduced motion and high contrast. Only files are read; no
// desktop service is asked.
#pragma once

#include <filesystem>

namespace warpbook::gui {

struct DesktopSettings {
  bool reduced_motion = false;
  bool high_contrast = false;
  friend bool operator==(const DesktopSettings&, const DesktopSettings&) = default;
};
/// Reads GTK's settings.ini (gtk-enable-animations, gtk-theme-name) and KDE's kdeglobals (AnimationDurationFactor,
/// ColorScheme) in a folder. Settings that a desktop keeps elsewhere, as GNOME does in a database, count as not set.
DesktopSettings read_desktop_settings(const std::filesystem::path& settings);
/// Reads them in $XDG_CONFIG_HOME, else in ~/.config. $GTK_THEME can ask for high contrast, too.
DesktopSettings desktop_settings();

}  // namespace warpbook::gui
