// A list of folders and files of one sort, from which the reader chooses a file by mouse or by keys.
#pragma once

#include <filesystem>
#include <future>
#include <optional>
#include <string>

#include "gui/book/folder.hpp"
#include "gui/controls/ui.hpp"

namespace warpbook::gui {

class FileChooser {
 public:
  explicit FileChooser(FileSort sort) : sort_(sort) {}
  /// Opens at a folder. Call it with the same ImGui id stack as draw().
  void open(std::filesystem::path folder);
  /// The file that was chosen in this frame.
  [[nodiscard]] std::optional<std::filesystem::path> draw(const Ui& ui);

 private:
  void go_to(std::filesystem::path folder);
  /// The string "what" of this sort of file.
  [[nodiscard]] std::string says(const Ui& ui, const char* what,
                                 const lab::MessageArguments& arguments = {}) const;
  void draw_head(const Ui& ui, ImVec2 corner, float width) const;
  std::optional<std::filesystem::path> draw_entries(const Ui& ui, float width);
  /// One line; true when pressed.
  static bool draw_row(const Ui& ui, const char* id, float width, const std::string& name,
                       const std::string& right, bool folder);

  FileSort sort_;
  Folder folder_;
  std::future<Folder>
      reading_;  ///< valid while a folder is read, so that a slow disk does not block the window
  std::filesystem::path wanted_;  ///< the folder to read next
  bool fresh_ = false;            ///< the first line is to take the keyboard
};

}  // namespace warpbook::gui
