// A lecture as it is held: which screen the class sees, what of it is revealed, how the class voted, and what covers the
// screen. Knows nothing of how it is drawn.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gui/book/book.hpp"
#include "gui/book/screens.hpp"
#include "gui/book/votes.hpp"
#include "lab/book/demo.hpp"
#include "lab/document/teaching_notes.hpp"

namespace warpbook::gui {

class Presentation {
 public:
  /// A countdown that nobody gave a length, and what each further press adds.
  static constexpr double kFirstCountdown = 120, kMoreCountdown = 60;  // seconds

  [[nodiscard]] bool on() const { return on_; }
  /// Presents the open chapter, from the screen that shows node `node` on. The reader's own answers are put aside, so that all
  /// questions are open.
  void begin(Book& book, std::size_t node = 0);
  /// Presents a demo's screens instead; it fits the open chapter. What was kept of its runs is read here.
  void begin(Book& book, lab::Demo demo);
  /// Back to reading, with the answers and the inputs of before.
  void end(Book& book);
  /// Follows a text that was read again or is now in another language; ends where another chapter was opened. Once a frame.
  void follow(Book& book);

  // ---- The screens ------------------------------------------------------------------------------

  [[nodiscard]] const std::vector<Screen>& screens() const { return screens_; }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] const Screen& screen() const { return screens_[at_]; }
  /// Changes whenever the class sees another screen.
  [[nodiscard]] std::uint64_t shown() const { return shown_; }
  /// One on: uncovers a blank screen, else closes the exhibit that fills it, else reveals an open question's answer, else shows the
  /// next screen.
  void go_on(Book& book);
  /// One back, without covering what was revealed.
  void go_back(Book& book);
  void go_to(Book& book, std::size_t screen);
  /// What the demo says of this screen; null where no demo is presented.
  [[nodiscard]] const lab::DemoScreen* prepared() const {
    return demo_ ? &demo_->screens[at_] : nullptr;
  }
  /// What the class sees is a run that was kept, because the live one has not ended or has failed.
  struct Recorded {
    std::string when;                    ///< ISO 8601
    std::optional<device::Error> error;  ///< of the live run; nothing while it goes on
  };
  [[nodiscard]] const std::optional<Recorded>& recorded() const { return recorded_; }

  /// The chapter's teach.md; nothing where it has none that can be read.
  [[nodiscard]] const std::optional<lab::TeachingNotes>& notes() const { return notes_; }

  // ---- The question on the screen ---------------------------------------------------------------

  /// Null where the screen asks none.
  [[nodiscard]] const lab::PredictDirective* question(const Book& book) const;
  /// Reveals the answer with its run, or covers it again.
  void toggle_answer(Book& book);
  /// The votes on the screen's question; null before the first is taken, or where there is no question.
  [[nodiscard]] const Poll* poll() const;
  /// The chart of the votes is on the screen.
  [[nodiscard]] bool voting() const { return voting_; }
  /// Whether the class sees how many voted for what. It does so only once the answer is shown, so that nobody follows the majority.
  [[nodiscard]] bool counts_shown(const Book& book) const;
  /// One on: to the first vote; from there, when hands were counted, to the second; from there, or without hands, away.
  void toggle_vote(const Book& book);
  void close_vote() { voting_ = false; }
  void select_choice(std::size_t choice);
  void type_count(int digit);
  void erase_count();
  /// The rows for votes.csv of all votes that were taken in this lecture.
  [[nodiscard]] std::vector<VoteRow> votes(const Book& book) const;
  [[nodiscard]] const std::string& lecture() const { return lecture_; }

  // ---- What fills or covers the screen ----------------------------------------------------------

  /// The exhibit that fills the screen; empty: none does.
  [[nodiscard]] const std::string& enlarged() const { return enlarged_; }
  void enlarge(std::string exhibit);
  /// The exhibit `by` places behind the enlarged one among those that may be seen, else the first of them.
  void enlarge_next(const Book& book, int by);
  [[nodiscard]] bool blank() const { return blank_; }
  void toggle_blank() { blank_ = !blank_; }
  /// The class goes on seeing the last picture, while everything else may change.
  [[nodiscard]] bool frozen() const { return frozen_; }
  void toggle_frozen() { frozen_ = !frozen_; }

  // ---- Clocks -----------------------------------------------------------------------------------

  /// Seconds since the lecture began.
  [[nodiscard]] double seconds(double now) const { return now - began_; }
  /// Begins a countdown, or makes the one that runs longer.
  void count_down(double now);
  void stop_countdown() { countdown_end_.reset(); }
  /// Seconds that are left, 0 when the time is over; nothing where no countdown runs.
  [[nodiscard]] std::optional<double> countdown(double now) const;

 private:
  void begin_lecture(Book& book);
  void show(Book& book, std::size_t screen);
  void cut(const Book& book);
  void read_kept_runs();
  /// Puts a kept run of the same inputs on the screen while the live one is not there, or where it failed.
  void fall_back(Book& book);
  [[nodiscard]] std::optional<std::size_t> screen_of_node(std::size_t node) const;

  bool on_ = false;
  std::string chapter_;
  std::uint64_t document_version_ = 0, shown_ = 0;
  std::vector<Screen> screens_;
  std::size_t at_ = 0;

  std::map<std::string, Poll> polls_;  ///< by question
  bool voting_ = false;
  std::string lecture_;

  std::string enlarged_;
  bool blank_ = false, frozen_ = false;
  double began_ = 0;
  std::optional<double> countdown_end_;

  std::optional<lab::TeachingNotes> notes_;
  std::optional<lab::Demo> demo_;
  std::map<std::uint64_t, std::shared_ptr<const lab::Report>> kept_;  ///< by their inputs' hash
  std::optional<Recorded> recorded_;

  lab::AnswersGiven answers_before_;
  lab::Inputs inputs_before_;
};

/// The ids of the exhibits that an instructor may enlarge, in the order of the report: those that no open question covers.
std::vector<std::string> exhibits_to_enlarge(const Book& book);

}  // namespace warpbook::gui
