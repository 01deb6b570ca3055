// The window's regions, and the state that belongs to the screen alone and is not saved: what is folded, where the divider
// is, how far the text has scrolled. Draws one frame of the whole book.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gui/controls/ui.hpp"
#include "gui/document/glossary_view.hpp"
#include "gui/document/view.hpp"
#include "gui/lab/lab_view.hpp"
#include "gui/present/notes_view.hpp"
#include "gui/present/present_view.hpp"
#include "gui/program/program_view.hpp"
#include "gui/shell/finder.hpp"
#include "lab/book/state.hpp"

namespace warpbook::gui {

class Shell {
 public:
  /// Draws a frame into the current ImGui context, then makes the changes that the views posted.
  void frame(Book& book, const Fonts& fonts, double time);
  /// Something is still moving or running, so that frames should follow quickly.
  [[nodiscard]] bool busy() const { return busy_; }
  /// A run or check is in progress, of which now and then a frame shows how far it is.
  [[nodiscard]] bool waiting() const { return waiting_; }

  DocumentView& document() { return document_; }
  [[nodiscard]] const DocumentView& document() const { return document_; }
  LabView& lab() { return lab_; }
  /// Takes the lab's place while it is open.
  GlossaryView& glossary() { return glossary_; }
  /// Takes the place of document and lab while the book has its page open.
  ProgramView& program() { return program_; }

  // ---- A lecture --------------------------------------------------------------------------------

  [[nodiscard]] const Presentation& lecture() const { return lecture_; }
  Presentation& lecture() { return lecture_; }
  PresentView& present_view() { return present_view_; }
  NotesView& notes_view() { return notes_view_; }
  /// The notes are asked for: beside what the class sees, or in the window that takes them away from there.
  [[nodiscard]] bool notes_wanted() const { return lecture_.on() && notes_wanted_; }
  void want_notes(bool wanted) { notes_wanted_ = wanted && notes_allowed_; }
  void toggle_notes() { want_notes(notes_elsewhere_ || !notes_wanted_); }
  /// Where notes are not to be shown, nothing brings them onto the screen: they say what the class is to find out.
  void allow_notes(bool allowed) { notes_allowed_ = allowed; }
  /// The notes are drawn into another window, by draw_notes().
  void move_notes(bool to_window) { notes_elsewhere_ = to_window; }
  /// Draws the notes into a window of their own, or one part of this one.
  void draw_notes(const Ui& ui, ImVec2 corner, ImVec2 size);
  /// Seconds until something on the screen changes by itself: a toast that goes, or a clock.
  [[nodiscard]] double seconds_to_change(const Book& book) const;
  /// Presents the open chapter from what is being read on, or goes back to reading it at the screen that was shown last.
  void toggle_lecture(Book& book);
  void begin_lecture(Book& book, std::optional<lab::Demo> demo = {});
  void end_lecture(Book& book);
  /// Closes what is open on the screen: the votes, the pen, an exhibit that fills it; else ends the lecture.
  void close_in_lecture(Book& book);
  /// The file that votes are kept in, and the lecturer's wish to keep them.
  void set_votes_file(std::filesystem::path file) { votes_file_ = std::move(file); }
  void keep_votes(Book& book);
  /// Turns to the rest of the text that is longer than the screen (1), or back to its part before (-1); false where there is none.
  bool turn_page(int by);
  /// Fills the screen with the exhibit under the mouse, or with the one that the text is about, or gives the screen back.
  void toggle_enlarged(const Book& book);
  /// The exhibit under the mouse, or the one that the text is about; empty where there is none, or a question covers it.
  [[nodiscard]] std::string exhibit_at_hand(const Book& book) const;
  /// Pixels per unit of the book, in a window of so many pixels on a monitor of that scale.
  [[nodiscard]] float scale_for(int pixels_x, int pixels_y, float monitor) const;

  // ---- What is open -----------------------------------------------------------------------------

  /// Makes sure that the document is on screen, whatever was there instead.
  void show_document();
  /// Goes to a step of the text because the reader asks for it.
  void go_to_step(const Ui& ui, std::size_t step);
  /// Goes to the next step of the text, or from the last one to the next chapter; with `focus`, Tab goes on from there.
  void step_on(const Ui& ui, bool focus);
  /// The keys scroll the text again, and Tab goes on from what is in view of it, where the text is on screen.
  void focus_text(const Book& book);
  /// Makes sure that the lab is on screen.
  void show_lab();
  void toggle_glossary();
  Finder& finder() { return finder_; }
  /// Closes what lies over the page: a menu, the settings, the finder; else the find bar, else the glossary. False where
  /// none is open.
  bool close_bar();
  void open_settings() { settings_open_ = true; }
  /// Opens the list of the GPUs that can be simulated.
  void choose_gpu() { gpus_open_ = true; }
  void toggle_list() { set_list_open(!list_shown_); }
  void set_list_open(bool open) {
    list_open_ = open;
    list_chosen_ = true;
  }
  enum class Stop : std::uint8_t { read, lab, lab_only };
  void set_stop(Stop stop) {
    stop_ = stop;
    made_room_ = false;
  }
  /// Where the divider rests, or is moving to.
  [[nodiscard]] Stop stop() const { return made_room_ && stop_ == Stop::read ? Stop::lab : stop_; }
  /// While held, the lab shows the same thing wherever the reader goes on reading.
  [[nodiscard]] bool lab_held() const { return lab_held_; }
  void hold_lab(bool held) { lab_held_ = held; }
  void set_zoom(float zoom);
  /// Whether exhibits say what they show instead of drawing it.
  void set_in_words(bool in_words) { in_words_ = in_words; }
  [[nodiscard]] bool in_words() const { return in_words_; }
  [[nodiscard]] float zoom() const { return zoom_; }

  // ---- From sitting to sitting ------------------------------------------------------------------

  /// How the reader has arranged the window.
  [[nodiscard]] lab::DeskState desk() const;
  void set_desk(const lab::DeskState& desk);
  /// Where the reader is in the chapter, and in its lab.
  [[nodiscard]] lab::PlaceState place() const;
  void go_back_to(const lab::PlaceState& place);

  // ---- The status bar ---------------------------------------------------------------------------

  /// Whether the reader's work is saved, for the right end of the status bar; empty: nothing.
  /// True where that is news.
  bool set_saved(std::string says) {
    const bool news = says != saved_;
    saved_ = std::move(says);
    return news;
  }
  /// What is missing on this computer, for the left end.
  void set_notice(std::string notice) { notice_ = std::move(notice); }

 private:
  /// The document is on screen.
  [[nodiscard]] bool text_shown() const;
  void handle_keys(const Ui& ui);
  /// The page and arrow keys and Space scroll the text, or the lab if the reader pressed there last. What has the focus, and uses
  /// these keys itself, gets them first.
  void read_by_keys(const Ui& ui);
  /// This chord of an action that is there now was pressed. `yields`: as Action has it, but for its other chord always.
  [[nodiscard]] bool pressed(const Action& action, ImGuiKeyChord chord, bool yields) const;
  /// Opens what a link leads to: a chapter, a term of the glossary, or, by its address in the clipboard, a web page.
  void follow(const Ui& ui, const std::string& target);
  /// Tab goes on from the text in view where a search was closed and no item has the keyboard.
  void follow_closed(const Book& book);
  void follow_pressed_links(const Ui& ui, Book& book);
  /// Goes to the place, or does what was chosen in the finder.
  void follow_finder(const Ui& ui, Book& book);
  /// The lab shows the exercise or comparison that the reader has come to.
  void follow_reading(Book& book);
  /// Moves the divider to make room for a comparison when one begins, and back when it ends.
  void make_room(const Book& book);

  void draw_regions(const Ui& ui, ImVec2 at, ImVec2 size);
  /// A screen of the lecture, in place of all regions.
  void draw_lecture(const Ui& ui, ImVec2 at, ImVec2 size);
  /// The votes on the screen's question, in the lab's place.
  void draw_votes(const Ui& ui, ImVec2 corner, ImVec2 size);
  /// Shows what the lecture has come to, and its part of the text.
  void follow_lecture(Book& book);
  void draw_one_column(const Ui& ui, ImVec2 corner, ImVec2 size);
  void draw_two_columns(const Ui& ui, ImVec2 corner, ImVec2 size);
  void draw_top_bar(const Ui& ui, ImVec2 corner, float width);
  /// What runs the book's code, and the GPU that it simulates, between `left` and `right`; a press opens the list of GPUs.
  /// Gives back its left end.
  float draw_device(const Ui& ui, float left, float right, float middle);
  void draw_list(const Ui& ui, ImVec2 corner, ImVec2 size, bool rail);
  /// Whether a chapter fits what was typed above the list: a part of its title or its name, or its pinyin's first letters.
  [[nodiscard]] bool is_listed(const ChapterEntry& entry) const;
  /// Opens the first chapter that fits.
  void open_filtered(const Ui& ui);
  /// The rows of the list, in a child window that scrolls.
  void draw_chapters(const Ui& ui, bool rail);
  void draw_glossary_row(const Ui& ui, ImVec2 min, ImVec2 max, bool rail);
  /// The page of the reader's own program, and the glossary at its right if that is open.
  void draw_program(const Ui& ui, ImVec2 corner, ImVec2 size);
  void draw_document(const Ui& ui, ImVec2 corner, ImVec2 size);
  /// The steps of the chapter above the text, and below it the buttons to the step before and to the next step or chapter.
  void draw_track(const Ui& ui, ImVec2 corner, float width);
  void draw_foot(const Ui& ui, ImVec2 corner, float width);
  /// A box that opens the search over the whole book, between `left` and `right`.
  void draw_search(const Ui& ui, float left, float right, float middle);
  void draw_lab(const Ui& ui, ImVec2 corner, ImVec2 size);
  void draw_tabs(const Ui& ui, ImVec2 corner);
  void draw_divider(const Ui& ui, ImVec2 corner, float height, float left, float right);
  /// The line from the piece of text that is being read to the panel of the lab that it is about. `top`: the lab's corner.
  void draw_connector(const Ui& ui, ImVec2 top, float bottom);
  /// The button on the connector that holds the lab.
  void draw_hold_pin(const Ui& ui, ImVec2 middle);
  void draw_status_bar(const Ui& ui, ImVec2 corner, float width);
  void draw_toasts(const Ui& ui, ImVec2 corner);
  void draw_settings(const Ui& ui);
  /// The rows of choices; gives back their height.
  float draw_choices(const Ui& ui, ImVec2 corner);
  void draw_shortcuts(const Ui& ui, ImVec2 corner, float width) const;

  // ---- Views, and what they draw with
  DocumentView document_;
  LabView lab_;
  GlossaryView glossary_;
  ProgramView program_;
  Finder finder_;
  Presentation lecture_;
  PresentView present_view_;
  NotesView notes_view_;
  bool notes_wanted_ = false, notes_elsewhere_ = false, notes_allowed_ = true;
  std::filesystem::path votes_file_ = "votes.csv";
  float zoom_before_ = 1;           ///< the reader's, while a lecture is held
  std::uint64_t screen_shown_ = 0;  ///< Presentation::shown() of the last frame
  ParagraphCache paragraphs_;
  Posts posts_;
  Motion motion_;
  FigureCache figures_;
  BoxPainter boxes_;
  Pictures pictures_;
  const Theme* theme_ = nullptr;

  // ---- What is open
  SearchBox filter_;          ///< of the list of chapters
  bool list_open_ = true;     ///< as the reader chose it
  bool list_chosen_ = false;  ///< the reader chose; until then the window's width decides
  bool list_shown_ = true;    ///< in the last frame
  Stop stop_ = Stop::read;
  bool comparing_ = false;  ///< two runs are in the lab
  bool made_room_ = false;  ///< the divider moved by itself to make room for them
  float divider_ = 0;       ///< x of the divider, from the document's left edge
  bool dragging_ = false;
  bool one_column_ = false;  ///< the window is narrow: text and lab take turns
  bool lab_tab_ = false;     ///< and it is the lab's turn
  bool settings_open_ = false, gpus_open_ = false;  ///< to be opened in the next frame
  bool lab_held_ = false;
  bool in_words_ = false;
  float zoom_ = 1;

  // ---- What the lab follows
  std::string connected_to_;  ///< node and panel that the lab last scrolled to
  bool lab_restored_ =
      false;  ///< the lab was scrolled by the last sitting, not yet by what is being read

  bool busy_ = false, waiting_ = false, typing_ = false;
  std::string saved_, notice_;
};

}  // namespace warpbook::gui
