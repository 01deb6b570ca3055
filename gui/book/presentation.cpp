#include "gui/book/presentation.hpp"

#include <algorithm>
#include <utility>

#include "lab/text/host.hpp"

namespace warpbook::gui {
namespace {
const lab::PredictDirective* question_named(const Book& book, const std::string& id) {
  for (const lab::DocumentNode& node : book.document().nodes) {
    const auto* question = std::get_if<lab::PredictDirective>(&node);
    if (question && question->id == id) return question;
  }
  return nullptr;
}

/// The screen of the document that a demo's screen names; without nodes where it is an exhibit alone.
Screen screen_of(const lab::Document& document, const lab::DemoScreen& prepared) {
  if (prepared.question.empty()) return screen_of_step(document, prepared.step);
  for (Screen& screen : screens_of(document)) {
    if (screen.question == prepared.question) return std::move(screen);
  }
  return {};
}
}  // namespace

// ---- Begin and end ------------------------------------------------------------------------------

void Presentation::begin(Book& book, std::size_t node) {
  if (on_ || !book.lesson()) return;
  demo_.reset();
  cut(book);
  if (screens_.empty()) return;
  begin_lecture(book);
  show(book, screen_of_node(node).value_or(0));
}

void Presentation::begin(Book& book, lab::Demo demo) {
  if (on_ || !book.lesson()) return;
  demo_ = std::move(demo);
  cut(book);
  read_kept_runs();
  begin_lecture(book);
  show(book, 0);
}

void Presentation::begin_lecture(Book& book) {
  answers_before_ = book.answers();
  inputs_before_ = book.inputs();
  book.ask_chapter_again();
  book.close_program_page();
  chapter_ = book.lesson()->slug;
  auto notes = lab::load_teaching_notes(book.root(), chapter_);
  notes_ = notes ? std::optional(std::move(*notes)) : std::nullopt;
  if (notes_ && demo_) {
    if (auto plan = lab::plan_of(*demo_)) notes_->plans = {std::move(*plan)};
  }
  on_ = true;
  blank_ = frozen_ = voting_ = false;
  polls_.clear();
  countdown_end_.reset();
  began_ = book.now();
  lecture_ = lab::now_iso();
}

void Presentation::end(Book& book) {
  if (!std::exchange(on_, false)) return;
  ++shown_;
  kept_.clear();
  recorded_.reset();
  enlarged_.clear();
  book.set_asked({});
  if (!book.lesson() || book.lesson()->slug != chapter_) return;
  book.set_answers(std::move(answers_before_));
  book.set_inputs(std::move(inputs_before_));
}

void Presentation::follow(Book& book) {
  if (!on_) return;
  if (!book.lesson() || book.lesson()->slug != chapter_) {
    end(book);
    return;
  }
  if (document_version_ != book.document_version()) {
    cut(book);
    if (screens_.empty()) {
      end(book);
      return;
    }
    at_ = std::min(at_, screens_.size() - 1);
    book.set_asked(screen().question);
    ++shown_;
  }
  fall_back(book);
}

void Presentation::cut(const Book& book) {
  document_version_ = book.document_version();
  if (!demo_) {
    screens_ = screens_of(book.document());
    return;
  }
  screens_.clear();
  for (const lab::DemoScreen& prepared : demo_->screens)
    screens_.push_back(screen_of(book.document(), prepared));
}

// ---- Kept runs ----------------------------------------------------------------------------------

void Presentation::read_kept_runs() {
  kept_.clear();
  for (std::size_t i = 0; i < demo_->screens.size(); ++i) {
    const lab::DemoRuns runs = lab::kept_demo_runs(*demo_, i);
    for (const auto& run : {runs.shown, runs.deciding}) {
      if (run) kept_[run->inputs_hash] = run;
    }
  }
}

void Presentation::fall_back(Book& book) {
  const auto kept = kept_.find(book.inputs_hash());
  const std::shared_ptr<const lab::Report> now = book.report();
  if (kept == kept_.end()) {
    recorded_.reset();
    return;
  }
  const bool waiting = !now || book.stale();
  const bool failed = !waiting && !now->errors.empty() && kept->second->errors.empty();
  if (waiting || failed) {
    recorded_ = Recorded{kept->second->when, {}};
    if (failed) recorded_->error = now->errors.front();
    book.adopt(kept->second);
  } else if (now != kept->second) {
    recorded_.reset();
  }
}

// ---- The screens --------------------------------------------------------------------------------

void Presentation::show(Book& book, std::size_t screen) {
  at_ = screen;
  ++shown_;
  voting_ = false;
  enlarged_.clear();
  countdown_end_.reset();
  book.set_asked(this->screen().question);
  const lab::DemoScreen* wanted = prepared();
  if (!wanted) return;
  for (const std::string& id : wanted->reveal) book.answer(id, "");
  // An answer shows the run that decides it, so what the screen shows is set after that.
  book.set_inputs(lab::demo_inputs(*wanted, *book.lesson()));
  enlarged_ = wanted->exhibit;
}

std::optional<std::size_t> Presentation::screen_of_node(std::size_t node) const {
  const auto found =
      std::ranges::find_if(screens_, [&](const Screen& screen) { return node < screen.last; });
  if (found == screens_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - screens_.begin());
}

void Presentation::go_on(Book& book) {
  const lab::PredictDirective* asked = question(book);
  if (blank_) {
    blank_ = false;
  } else if (!enlarged_.empty() && screen().last > screen().first) {
    enlarged_.clear();
  } else if (asked && !book.answered(asked->id)) {
    toggle_answer(book);
  } else if (at_ + 1 < screens_.size()) {
    show(book, at_ + 1);
  }
}

void Presentation::go_back(Book& book) {
  if (blank_) {
    blank_ = false;
  } else if (at_ > 0) {
    show(book, at_ - 1);
  }
}

void Presentation::go_to(Book& book, std::size_t screen) {
  if (screen < screens_.size()) show(book, screen);
}

// ---- The question on the screen -----------------------------------------------------------------

const lab::PredictDirective* Presentation::question(const Book& book) const {
  return on_ && !screen().question.empty() ? question_named(book, screen().question) : nullptr;
}

void Presentation::toggle_answer(Book& book) {
  const lab::PredictDirective* asked = question(book);
  if (!asked) return;
  if (book.answered(asked->id)) {
    book.ask_again(asked->id);
  } else {
    book.answer(asked->id, "");
    voting_ = false;
  }
}

const Poll* Presentation::poll() const {
  const auto found = on_ ? polls_.find(screen().question) : polls_.end();
  return found == polls_.end() ? nullptr : &found->second;
}

bool Presentation::counts_shown(const Book& book) const {
  const lab::PredictDirective* asked = question(book);
  return asked && book.answered(asked->id);
}

void Presentation::toggle_vote(const Book& book) {
  const lab::PredictDirective* asked = question(book);
  if (!asked) return;
  Poll& poll = polls_.try_emplace(asked->id, asked->choices.size()).first->second;
  if (!voting_) {
    voting_ = true;
  } else if (poll.vote() == Vote::first && poll.total(Vote::first) > 0) {
    poll.take(Vote::second);
  } else {
    voting_ = false;
  }
}

void Presentation::select_choice(std::size_t choice) {
  if (voting_) polls_.at(screen().question).select(choice);
}
void Presentation::type_count(int digit) {
  if (voting_) polls_.at(screen().question).type(digit);
}
void Presentation::erase_count() {
  if (voting_) polls_.at(screen().question).erase();
}

std::vector<VoteRow> Presentation::votes(const Book& book) const {
  std::vector<VoteRow> rows;
  for (const auto& [id, poll] : polls_) {
    const lab::PredictDirective* asked = question_named(book, id);
    if (!asked) continue;
    auto more = vote_rows(poll, *asked, lecture_, chapter_, book.right_value(*asked));
    rows.insert(rows.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
  }
  return rows;
}

// ---- What fills the screen ----------------------------------------------------------------------

std::vector<std::string> exhibits_to_enlarge(const Book& book) {
  std::vector<std::string> ids;
  for (const ShownExhibit& shown : book.shown_exhibits()) {
    if (!book.veil(shown.exhibit->id)) ids.push_back(shown.exhibit->id);
  }
  return ids;
}

void Presentation::enlarge(std::string exhibit) { enlarged_ = std::move(exhibit); }

void Presentation::enlarge_next(const Book& book, int by) {
  const std::vector<std::string> ids = exhibits_to_enlarge(book);
  if (ids.empty()) return;
  const auto count = static_cast<std::ptrdiff_t>(ids.size());
  const auto now = std::ranges::find(ids, enlarged_) - ids.begin();
  const auto next = now == count ? 0 : (now + by + count) % count;
  enlarged_ = ids[static_cast<std::size_t>(next)];
}

// ---- Clocks -------------------------------------------------------------------------------------

void Presentation::count_down(double now) {
  const lab::DemoScreen* wanted = prepared();
  const double first = wanted && wanted->minutes ? *wanted->minutes * 60 : kFirstCountdown;
  countdown_end_ =
      countdown_end_ && *countdown_end_ > now ? *countdown_end_ + kMoreCountdown : now + first;
}

std::optional<double> Presentation::countdown(double now) const {
  if (!countdown_end_) return std::nullopt;
  return std::max(0.0, *countdown_end_ - now);
}

}  // namespace warpbook::gui
