// One session with the book: restores what the reader left last time, saves what they change, and reads files again when
// they change on the disk.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gui/app.hpp"
#include "gui/shell/shell.hpp"
#include "lab/book/place_link.hpp"
#include "lab/book/state.hpp"
#include "lab/book/watch.hpp"

namespace warpbook::gui {

class Session {
 public:
  /// `wake` is called on any thread when there is news to draw.
  Session(const OpenOptions& options, std::function<void()> wake);

  Book& book() { return book_; }
  Shell& shell() { return shell_; }
  /// Takes in results and changed files, and saves what the reader did. True where something on screen changed, so that a
  /// frame should follow.
  bool poll();
  /// Saves everything at once.
  void save_now();
  [[nodiscard]] const lab::StateStore& store() const { return store_; }

 private:
  void resume_program(const OpenOptions& options);
  /// What the reader had set in a chapter, on top of what it opens with.
  [[nodiscard]] lab::Inputs kept_inputs(const lab::Lesson& lesson, lab::Inputs inputs) const;
  void resume(const std::string& slug);
  /// Puts a source onto the scratch page; a copy is kept of what the reader had written there.
  void put_on_scratch_page(std::string source);
  void follow_link(const lab::PlaceLink& link);
  void keep();
  void show(const lab::ExerciseState& exercise, ExerciseAttempt& attempt);
  void keep_what_is_reset();
  bool keep_copy(const std::string& name, const std::string& text);
  void take_in_work();
  /// Tells the book how much of each chapter is done.
  void count_done();
  [[nodiscard]] std::string saved_words() const;
  [[nodiscard]] std::string step_read() const;

  lab::StateStore store_;
  Book book_;
  Shell shell_;
  lab::FolderWatch watch_, work_watch_;
  std::string resumed_;                    ///< slug of the chapter whose state was restored
  std::optional<lab::PlaceLink> link_;     ///< to be followed when its chapter has been restored
  std::optional<LectureOptions> lecture_;  ///< to be begun then
  std::string snippet_;  ///< to be put on the scratch page when that has been restored
  /// What is saved beside the reader's edits, and when.
  struct Kept {
    std::uint64_t edits = 0;
    std::string step;
    lab::PlaceState place;
    lab::DeskState desk;
    friend bool operator==(const Kept&, const Kept&) = default;
  };
  std::uint64_t kept_edits_ = 0;
  std::optional<Kept> kept_;  ///< nothing until the restored chapter rests
  Kept seen_;                 ///< in the last poll
  std::string first_theme_;   ///< as the book was opened
  bool first_reduced_ = false;
};

}  // namespace warpbook::gui
