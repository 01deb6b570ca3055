#include "gui/shell/session.hpp"

#include <algorithm>
#include <utility>

#include "gui/book/desktop_settings.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::gui {
namespace {
std::string language_of(const lab::ReaderState& state, const std::string& root) {
  const std::vector<std::string> codes = lab::language_codes(root);
  const bool known = std::ranges::find(codes, state.language) != codes.end();
  return known ? state.language : lab::language_of_locale(root);
}

// The reader's own choice comes before the desktop's setting.
std::string theme_of(const lab::ReaderState& state, const DesktopSettings& desktop) {
  if (!state.theme.empty()) return std::string(theme_named(state.theme).name);
  return desktop.high_contrast ? "contrast" : "dark";
}
bool motion_reduced(const lab::ReaderState& state, const DesktopSettings& desktop) {
  return state.motion.empty() ? desktop.reduced_motion : state.motion == "reduced";
}

/// The chapter that was asked for, else the one that was read last, else the first of the book.
std::string first_chapter(const OpenOptions& options, const lab::ReaderState& state) {
  for (const std::string& slug : {options.chapter, state.chapter}) {
    if (!slug.empty() && lessons::find(slug)) return slug;
  }
  return lessons::catalogue().empty() ? std::string() : lessons::catalogue().front().slug;
}
}  // namespace

Session::Session(const OpenOptions& options, std::function<void()> wake)
    : store_(options.state_folder, {.work = options.work_folder}),
      book_({options.root, language_of(store_.state(), options.root),
             theme_of(store_.state(), desktop_settings()),
             motion_reduced(store_.state(), desktop_settings()), nullptr, std::move(wake),
             (store_.work().folder() / "programs").string(),
             [this](const lab::Lesson& lesson, lab::Inputs opened) {
               return kept_inputs(lesson, std::move(opened));
             }}),
      watch_(options.root, {"lessons", "exercises", "kernels", "lang"}),
      work_watch_(store_.work().folder().string(), {""}) {
  first_theme_ = book_.theme();
  first_reduced_ = book_.reduced_motion();
  link_ = options.link;
  lecture_ = options.lecture;
  shell_.set_votes_file(lecture_ && !lecture_->votes.empty()
                            ? std::filesystem::path(lecture_->votes)
                            : std::filesystem::path(options.state_folder) / "votes.csv");
  snippet_ = options.snippet;
  book_.set_gpu(link_ && !link_->gpu.empty() ? link_->gpu : store_.state().gpu);
  shell_.set_desk(store_.state().desk);
  book_.open(first_chapter(options, store_.state()));
  resume_program(options);
  for (const device::Error& notice : store_.notices()) {
    book_.tell(Toast::Kind::bad, book_.strings()(notice));
  }
  if (const auto trouble = store_.trouble(); trouble && store_.read_only())
    book_.tell(Toast::Kind::bad, book_.strings()(*trouble));
}

void Session::show(const lab::ExerciseState& exercise, ExerciseAttempt& attempt) {
  if (!exercise.draft.empty()) {
    attempt.set_source(exercise.draft);
    attempt.set_saved_in((store_.work().folder() / attempt.file_name()).string());
  }
  attempt.set_reached(exercise.progress);
}

/// The program that was asked for, else the one of the last time, in its place.
void Session::resume_program(const OpenOptions& options) {
  const lab::ReaderState state = store_.state();
  book_.set_program_arguments(state.program_arguments);
  if (!options.program.empty()) {
    book_.open_program(options.program);
    return;
  }
  std::error_code gone;
  if (std::filesystem::exists(state.program, gone)) book_.open_program(state.program);
  if (!state.program_open || !options.chapter.empty()) book_.close_program_page();
}

void Session::count_done() {
  const lab::ReaderState state = store_.state();
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    std::size_t done = 0;
    if (const auto chapter = state.chapters.find(lesson.slug); chapter != state.chapters.end())
      done += chapter->second.answers.size();
    for (const std::string& id : lesson.exercises) {
      const auto exercise = state.exercises.find(id);
      done +=
          exercise != state.exercises.end() && !exercise->second.progress.passed.empty() ? 1 : 0;
    }
    book_.set_done(lesson.slug, done);
  }
}

lab::Inputs Session::kept_inputs(const lab::Lesson& lesson, lab::Inputs inputs) const {
  const lab::ReaderState state = store_.state();
  const auto found = state.chapters.find(lesson.slug);
  if (found == state.chapters.end()) return inputs;
  for (const auto& [name, text] : found->second.values) {
    // A picture that is gone keeps its path: the run reports it, and the file may come back.
    const auto parameter = std::ranges::find(lesson.parameters, name, &lab::Parameter::name);
    if (parameter != lesson.parameters.end() && parameter->type == lab::Parameter::Type::picture) {
      inputs.values.set(name, text);
      continue;
    }
    // A value that the lesson no longer takes is left at its default.
    if (!lab::assign(lesson.parameters, inputs.values, name + "=" + text)) continue;
  }
  for (const auto& [slot, text] : found->second.sources) {
    if (std::ranges::find(lesson.slots, slot, &lab::SourceSlot::name) != lesson.slots.end())
      inputs.sources[slot] = text;
  }
  return inputs;
}

void Session::resume(const std::string& slug) {
  resumed_ = slug;
  count_done();
  const lab::ReaderState state = store_.state();
  if (const auto found = state.chapters.find(slug); found != state.chapters.end()) {
    const lab::ChapterState& chapter = found->second;
    book_.set_answers(chapter.answers);
    book_.set_earlier_runs(chapter.runs);
    // Unless the reader has come for something else, as by a link to a term.
    if (!shell_.document().settling()) shell_.go_back_to(chapter.place);
  }
  if (link_) follow_link(*std::exchange(link_, std::nullopt));
  for (const std::string& id : book_.lesson()->exercises) {
    const auto found = state.exercises.find(id);
    ExerciseAttempt* attempt = book_.attempt(id);
    if (found != state.exercises.end() && attempt && attempt->text()) show(found->second, *attempt);
  }
  // A program that was asked for is to be remembered.
  kept_edits_ = book_.my_program().file() == state.program ? book_.edits() : 0;
  kept_.reset();
  // Last, so that it counts as what the reader did since.
  if (!snippet_.empty()) put_on_scratch_page(std::exchange(snippet_, {}));
}

void Session::put_on_scratch_page(std::string source) {
  const std::string& slot = lessons::scratch().slots.front().name;
  if (book_.edited(slot) && book_.source(slot) != source && !store_.read_only() &&
      !keep_copy(slot + ".cu", book_.source(slot)))
    return;  // what the reader wrote is worth more than what they asked for
  book_.set_source(slot, std::move(source));
}

/// Says how the copy is called, or why there is none.
bool Session::keep_copy(const std::string& name, const std::string& text) {
  const auto copy = store_.work().keep_copy(name, text);
  copy ? book_.tell(Toast::Kind::ok,
                    book_.strings()("gui.exercise.kept", {{"file", copy->filename().string()}}))
       : book_.tell(Toast::Kind::bad, book_.strings()(copy.error()));
  return copy.has_value();
}

/// A link shows what it names: all that it does not name is as the chapter opens.
void Session::follow_link(const lab::PlaceLink& link) {
  lab::Inputs inputs = book_.inputs();
  inputs.values = lab::defaults(book_.lesson()->parameters);
  inputs.sources.clear();
  for (const auto& [name, text] : link.values) {
    // The command line has held the link against the chapter before the window opened.
    if (!lab::assign(book_.lesson()->parameters, inputs.values, name + "=" + text)) continue;
  }
  book_.set_inputs(std::move(inputs));
  if (!link.step.empty())
    shell_.document().go_to_step(link.step);
  else
    shell_.document().scroll_to(0);
}

/// Before a starter or the original of the scratch page replaces what the reader wrote, a copy of that is made.
void Session::keep_what_is_reset() {
  if (store_.read_only()) return;
  const lab::ReaderState state = store_.state();
  if (book_.on_scratch_page()) {
    const std::string& slot = lessons::scratch().slots.front().name;
    const auto page = state.chapters.find(lessons::scratch().slug);
    const bool written = page != state.chapters.end() && page->second.sources.contains(slot);
    if (written && !book_.edited(slot)) keep_copy(slot + ".cu", page->second.sources.at(slot));
  }
  const auto& exercises = state.exercises;
  for (const std::string& id : book_.lesson()->exercises) {
    const auto found = exercises.find(id);
    const ExerciseAttempt* attempt = book_.attempt(id);
    if (found == exercises.end() || !attempt || !attempt->text() || attempt->edited()) continue;
    const std::string& draft = found->second.draft;
    if (!draft.empty() && draft != attempt->source()) keep_copy(attempt->file_name(), draft);
  }
}

/// Files that another editor or the command line changed.
void Session::take_in_work() {
  const auto changed = store_.look_again();
  const auto exercises = store_.state().exercises;
  for (const std::string& id : changed) {
    if (ExerciseAttempt* attempt = book_.attempt(id); attempt && attempt->text())
      show(exercises.at(id), *attempt);
  }
}

std::string Session::step_read() const {
  const auto& steps = shell_.document().steps();
  const std::size_t at = shell_.document().current_step();
  return at < steps.size() ? steps[at].name : std::string();
}

void Session::keep() {
  const std::string step = step_read();
  // A place is kept when the reader rests there, not at every point that they scroll by.
  const Kept now{book_.edits(), step, shell_.place(), shell_.desk()};
  const bool rests = !shell_.document().settling() && now == std::exchange(seen_, now);
  const bool laid_out = shell_.document().height() > 0;
  if (!kept_ && rests && laid_out) kept_ = Kept{kept_edits_, step, now.place, now.desk};
  if (!kept_ ? now.edits == kept_edits_ : now == *kept_ || (now.edits == kept_->edits && !rests))
    return;
  kept_ = now;
  kept_edits_ = now.edits;
  keep_what_is_reset();
  store_.change([&](lab::ReaderState& state) {
    state.language = book_.language();
    // A setting taken from the desktop is not saved, because the reader did not choose it and may change the desktop.
    if (!state.theme.empty() || book_.theme() != first_theme_) state.theme = book_.theme();
    if (!state.motion.empty() || book_.reduced_motion() != first_reduced_)
      state.motion = book_.reduced_motion() ? "reduced" : "full";
    if (!state.gpu.empty() || book_.inputs().gpu != lab::Inputs{}.gpu) state.gpu = book_.gpu().name;
    state.program = book_.my_program().file().string();
    state.program_arguments = book_.my_program().arguments();
    state.program_open = book_.program_open();
    state.chapter = book_.lesson()->slug;
    lab::ChapterState& chapter = state.chapters[book_.lesson()->slug];
    chapter.answers = book_.answers();
    chapter.runs = book_.earlier_runs();
    chapter.sources = book_.inputs().sources;
    chapter.values.clear();
    for (const auto& [name, value] : book_.inputs().values.all())
      chapter.values[name] = lab::to_text(value);
    chapter.step = step;
    chapter.place = now.place;
    state.desk = now.desk;
    for (const std::string& id : book_.lesson()->exercises) {
      ExerciseAttempt* attempt = book_.attempt(id);
      if (!attempt || !attempt->text()) continue;
      lab::ExerciseState& exercise = state.exercises[id];
      exercise.file = attempt->file_name();
      if (attempt->edited() || !exercise.draft.empty()) {
        exercise.draft = attempt->source();
        attempt->set_saved_in((store_.work().folder() / exercise.file).string());
      }
      exercise.progress = attempt->reached();
    }
  });
}

std::string Session::saved_words() const {
  if (store_.read_only()) return book_.strings()("gui.status.not-saved");  // a toast has said why
  if (const auto trouble = store_.trouble()) return book_.strings()(*trouble);
  const bool unsaved = store_.unsaved() || book_.my_program().unsaved();
  return book_.strings()(unsaved ? "gui.status.saving" : "gui.status.saved");
}

bool Session::poll() {
  const std::uint64_t edits = book_.edits();
  const std::size_t toasts = book_.toasts().size();
  bool news = book_.poll();
  book_.follow_program_file();
  if (const auto changed = watch_.changes(); !changed.empty()) {
    book_.reload();
    news = true;
  }
  if (!book_.lesson()) return news;
  if (book_.take_book_asks_again()) {
    store_.change([](lab::ReaderState& state) {
      for (auto& [slug, chapter] : state.chapters) chapter.answers.clear();
    });
    count_done();
  }
  if (!work_watch_.changes().empty()) take_in_work();
  if (book_.lesson()->slug != resumed_) {
    shell_.lab().forget();
    resume(book_.lesson()->slug);
    if (const auto wanted = std::exchange(lecture_, {})) shell_.begin_lecture(book_, wanted->demo);
    news = true;
  } else if (!shell_.lecture().on()) {
    keep();  // a lecture's answers are not the reader's
  }
  news |= shell_.set_saved(saved_words());
  return news || book_.edits() != edits || book_.toasts().size() != toasts;
}

void Session::save_now() {
  shell_.end_lecture(book_);
  if (book_.lesson()) {
    seen_ = {book_.edits(), step_read(), shell_.place(),
             shell_.desk()};  // where they are now counts
    keep();
  }
  // Nobody is left to read what would be wrong; the text is then lost with the window, as in any editor.
  (void)book_.my_program().save();
  store_.flush();
}

}  // namespace warpbook::gui
