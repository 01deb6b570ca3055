// A list of folders and pictures, to choose a file from by mouse and by keys.
#pragma once

#include <filesystem>
#include <future>
#include <optional>

#include "gui/book/folder.hpp"
#include "gui/controls/ui.hpp"

namespace warpbook::gui {

class PictureChooser {
 public:
  /// Opens at a folder. To be called and drawn at the same place among ImGui's ids.
  void open(std::filesystem::path folder);
  /// The file that was chosen in this frame.
  [[nodiscard]] std::optional<std::filesystem::path> draw(const Ui& ui);

 private:
  void go_to(std::filesystem::path folder);
  void draw_head(const Ui& ui, ImVec2 corner, float width) const;
  std::optional<std::filesystem::path> draw_entries(const Ui& ui, float width);
  /// One line; true when pressed.
  static bool draw_row(const Ui& ui, const char* id, float width, const std::string& name,
                       const std::string& right, bool folder);

  Folder folder_;
  std::future<Folder>
      reading_;  ///< valid while a folder is read: a slow disk must not hold the window
  std::filesystem::path wanted_;  ///< to be read next
  bool fresh_ = false;            ///< its first line takes the keyboard
};

}  // namespace warpbook::gui
