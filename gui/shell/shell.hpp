// The window's regions and what of them is only seen, not kept: folds, stops, scroll. Draws one
// frame of the whole book.
#pragma once

#include <string>
#include <vector>

#include "gui/controls/ui.hpp"
#include "gui/document/glossary_view.hpp"
#include "gui/document/view.hpp"
#include "gui/lab/lab_view.hpp"

namespace warpbook::gui {

class Shell {
 public:
  /// Draws a frame into the current ImGui context, then makes the changes that the views posted.
  void frame(Book& book, const Fonts& fonts, double time);

  DocumentView& document() { return document_; }
  LabView& lab() { return lab_; }
  /// In the lab's place while it is open.
  GlossaryView& glossary() { return glossary_; }
  /// Makes sure that the document is in the window, whatever had its place.
  void show_document();
  /// Makes sure that the lab is in the window.
  void show_lab();
  /// Opens the list of the GPUs that the simulator can stand for.
  void choose_gpu() { gpus_open_ = true; }
  void toggle_glossary();
  /// Closes the find bar or else the glossary; false where neither is open.
  bool close_bar();
  void toggle_list() {
    list_open_ = !list_shown_;
    list_chosen_ = true;
  }
  void set_list_open(bool open) {
    list_open_ = open;
    list_chosen_ = true;
  }
  enum class Stop : std::uint8_t { read, lab, lab_only };
  void set_stop(Stop stop) {
    stop_ = stop;
    made_room_ = false;
  }
  /// Where the divider is, or goes.
  [[nodiscard]] Stop stop() const { return made_room_ && stop_ == Stop::read ? Stop::lab : stop_; }
  /// While held, the lab stays as it is, whatever is read.
  [[nodiscard]] bool lab_held() const { return lab_held_; }
  void hold_lab(bool held) { lab_held_ = held; }
  void set_zoom(float zoom);
  [[nodiscard]] float zoom() const { return zoom_; }
  /// Something is still moving or running, so that frames should follow quickly.
  [[nodiscard]] bool busy() const { return busy_; }
  /// What the status bar says at its right end about saving; empty: nothing.
  void set_saved(std::string says) { saved_ = std::move(says); }
  /// What is missing on this machine, said once in the status bar.
  void set_notice(std::string notice) { notice_ = std::move(notice); }

 private:
  void handle_keys(const Ui& ui);
  void draw_top_bar(const Ui& ui, ImVec2 corner, float width);
  /// What runs things, and the GPU that it stands for; a press opens the list. Within `left` and `right`.
  void draw_device(const Ui& ui, float left, float right, float middle);
  void draw_status_bar(const Ui& ui, ImVec2 corner, float width);
  void draw_list(const Ui& ui, ImVec2 corner, ImVec2 size, bool rail);
  void draw_document(const Ui& ui, ImVec2 corner, ImVec2 size);
  void draw_track(const Ui& ui, ImVec2 corner, float width);
  void draw_foot(const Ui& ui, ImVec2 corner, float width);
  void draw_lab(const Ui& ui, ImVec2 corner, ImVec2 size);
  /// Gives a comparison its room when it comes, and takes it back when it goes.
  void make_room(const Book& book);
  void draw_divider(const Ui& ui, ImVec2 corner, float height, float left, float right);
  void follow(const Ui& ui, const std::string& target);
  void draw_connector(const Ui& ui, ImVec2 top, float bottom);
  void draw_tabs(const Ui& ui, ImVec2 corner, float width);
  void draw_toasts(const Ui& ui, ImVec2 corner);
  void draw_settings(const Ui& ui);

  DocumentView document_;
  LabView lab_;
  GlossaryView glossary_;
  ParagraphCache paragraphs_;
  Posts posts_;
  Motion motion_;
  FigureCache figures_;
  BoxPainter boxes_;
  Pictures pictures_;
  bool list_open_ = true, list_chosen_ = false, list_shown_ = true;
  Stop stop_ = Stop::read;
  bool comparing_ = false;  ///< two runs are in the lab
  bool made_room_ = false;  ///< and the divider went to its stop for them by itself
  float divider_ = 0;       ///< x of the divider; moves to its stop
  bool dragging_ = false;
  bool one_column_ = false;  ///< the window is narrow: text and lab take turns
  bool lab_tab_ = false;     ///< and it is the lab's
  bool settings_open_ = false, gpus_open_ = false;  ///< asked for, to be opened in the next frame
  bool lab_held_ = false;
  std::vector<std::string> reading_;  ///< parameters that the lab last followed
  std::string connected_to_;          ///< node and panel that the lab last followed
  float zoom_ = 1;
  bool busy_ = false, typing_ = false;
  std::string saved_, notice_;
  const Theme* theme_ = nullptr;
};

}  // namespace warpbook::gui
