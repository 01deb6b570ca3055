// What the window shows, and every way of changing it. Views read the book while they draw, and post the changes
// that the reader asks for, which are made between frames. Nothing here draws: the room gui/book knows no ImGui.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "device/device.hpp"
#include "gui/book/book_search.hpp"
#include "gui/book/comparisons.hpp"
#include "gui/book/excerpt.hpp"
#include "gui/book/exercise_attempt.hpp"
#include "gui/book/exports.hpp"
#include "gui/book/link.hpp"
#include "gui/book/my_program.hpp"
#include "gui/book/side_runs.hpp"
#include "lab/book/earlier_runs.hpp"
#include "lab/document/document.hpp"
#include "lab/document/glossary.hpp"
#include "lab/experiment/experiment.hpp"

namespace warpbook::gui {

/// How long a run waits for the reader to go on typing: in a source, and in a parameter.
inline constexpr std::chrono::milliseconds kSourceDelay{250}, kValueDelay{60};

class Book;

/// A line of the chapter list.
struct ChapterEntry {
  std::string slug, title;
  std::size_t tasks = 0;  ///< questions and exercises in its text
};

/// A short message in the corner of the window.
struct Toast {
  enum class Kind : std::uint8_t { ok, bad, plain } kind = Kind::plain;
  std::string text;
  double until = 0;  ///< Book::now() at which it goes; errors stay until the reader dismisses them
  std::string action = {};              ///< the label of its button; empty: it has none
  std::function<void(Book&)> act = {};  ///< what the button does; the toast goes then
};

/// A run that a directive names: parameters, and a file to put into the first slot.
struct Case {
  std::map<std::string, std::string> values;
  std::string source, source_text;  ///< both empty: the chapter's original
};
template <class Directive>
Case case_of(const Directive& directive) {
  return {directive.set, directive.source, directive.source_text};
}

/// A run that the reader keeps to compare others with, for as long as the window is open.
struct KeptRun {
  lab::Inputs inputs;  ///< as the reader had set them
  std::shared_ptr<const lab::Report> report;
};

/// Which run is on one side of the reader's comparison.
struct CompareSide {
  enum class Kind : std::uint8_t { live, kept, original } kind = Kind::live;
  std::size_t kept = 0;  ///< index into Book::kept_runs(); 0 for the other kinds
  friend bool operator==(const CompareSide&, const CompareSide&) = default;
};

/// An exhibit as it is on screen.
struct ShownExhibit {
  const lab::Exhibit* exhibit = nullptr;  ///< null: there is none to show
  bool stale = false;                     ///< not of the current inputs and sources
};

/// Two runs side by side.
struct Compared {
  std::shared_ptr<const lab::Report> a, b;       ///< null: the run has not finished
  std::string name_a, name_b;                    ///< "n = 8, block = 4"
  std::shared_ptr<const lab::Exhibit> relation;  ///< null: still being computed
  bool stale_a = false, stale_b = false;  ///< that run is not of the current inputs and sources
  bool stale_relation = false;  ///< computed from other runs than these two, or from stale ones
  bool follows_inputs = false;  ///< a side runs again when the reader changes an input
};

class Book {
 public:
  struct Options {
    std::string root;
    std::string language = lab::kEnglish;
    std::string theme = "dark";
    bool reduced_motion = false;
    std::shared_ptr<device::Compiler> compiler;
    std::function<void()> wake;  ///< called on any thread when there are results to take in
    std::string programs =
        {};  ///< the folder of programs that the reader begins; empty: none can be begun
    /// What a chapter's first run is given: what the reader had set when it was last open, else what it opens with, which is passed.
    std::function<lab::Inputs(const lab::Lesson&, lab::Inputs)> kept_inputs = {};
  };
  explicit Book(Options options);
  ~Book();
  Book(const Book&) = delete;
  Book& operator=(const Book&) = delete;

  // ---- The chapter ------------------------------------------------------------------------------

  [[nodiscard]] const std::vector<ChapterEntry>& chapters() const { return chapters_; }
  /// How many of a chapter's tasks are done: questions answered, and exercises passed.
  [[nodiscard]] std::size_t done(const ChapterEntry& entry) const;
  /// The same for a chapter that is not open, as who keeps it knows.
  void set_done(const std::string& slug, std::size_t tasks) { done_[slug] = tasks; }
  /// The terms of all chapters, in the book's language.
  [[nodiscard]] const lab::Glossary& glossary() const { return glossary_; }
  /// Finds places of all chapters, in the book's language.
  [[nodiscard]] const BookSearch& search() const { return search_; }
  /// Opens a chapter of the catalogue; false where the catalogue has none of that name. Where the chapter's text
  /// cannot be read, document_error() says why.
  bool open(std::string_view slug);
  /// Opens the page for any kernel of the reader's own.
  void open_scratch_page();
  [[nodiscard]] bool on_scratch_page() const;
  /// Opens a lesson with a text that has already been read.
  void open(const lab::Lesson& lesson, lab::Document document);
  /// Reads the strings, the chapter's text and its sources again. If the text is broken, the last good page stays.
  void reload();
  /// Takes in the results of finished runs and checks. True where something on screen changed.
  bool poll();
  /// Waits until all runs have ended, and takes in their results.
  void settle();
  [[nodiscard]] const lab::Lesson* lesson() const { return lesson_; }
  [[nodiscard]] const lab::Document& document() const { return document_; }
  /// Changes with every text that is shown, so that a view knows when to lay out again.
  [[nodiscard]] std::uint64_t document_version() const { return document_version_; }
  [[nodiscard]] const std::optional<device::Error>& document_error() const {
    return document_error_;
  }
  /// The lines of the file around the place of document_error().
  [[nodiscard]] const Excerpt& document_error_excerpt() const { return error_excerpt_; }

  // ---- Settings ---------------------------------------------------------------------------------

  [[nodiscard]] const lab::Strings& strings() const { return *strings_; }
  [[nodiscard]] const std::string& language() const { return options_.language; }
  void set_language(const std::string& language);
  /// All that there are, English first.
  [[nodiscard]] const std::vector<lab::Language>& languages() const { return languages_; }
  [[nodiscard]] const std::string& theme() const { return options_.theme; }
  void set_theme(std::string theme) {
    options_.theme = std::move(theme);
    ++edits_;
  }
  [[nodiscard]] bool reduced_motion() const { return options_.reduced_motion; }
  void set_reduced_motion(bool reduced) {
    options_.reduced_motion = reduced;
    ++edits_;
  }
  [[nodiscard]] const std::string& root() const { return options_.root; }

  // ---- What the live run is given ---------------------------------------------------------------

  [[nodiscard]] const lab::Inputs& inputs() const { return inputs_; }
  void set_inputs(lab::Inputs inputs, std::chrono::milliseconds delay = {});
  /// Sets one parameter from text. An error where the value is out of range; then nothing changes.
  device::Expected<device::Done> type_value(std::string_view name, std::string_view text);
  void set_value(const std::string& name, lab::Value value);
  /// The same while a slider is dragged: drafts follow the mouse (lab::Experiment::Pace), and none is given up for the next value.
  void drag_value(const std::string& name, lab::Value value);
  /// The slider was let go: a draft of an older value is given up, so that the whole run of this one comes as soon as it can.
  void end_drag();
  void reset_values();
  /// Leaves the reader's own pictures and sources as they are; a source that the page had put in gives way to the original.
  void choose_preset(const lab::Preset& preset);
  /// A file that was dropped on the window: the chapter's first parameter that is a picture takes it. Where there is
  /// no such parameter or it refuses the file, a toast says so.
  void drop_file(const std::string& path);
  /// Why the last run could not read the picture that this parameter names; null where it could.
  [[nodiscard]] const device::Error* picture_error(const lab::Parameter& parameter) const;
  /// What a directive's button does: sets its parameters and, if it names a source, the first slot's text. Pictures
  /// of the reader's own that the directive does not set stay, and so does what the reader wrote; a source that another
  /// directive had put in gives way to the original.
  void set_case(const Case& wanted);
  [[nodiscard]] lab::Inputs inputs_of(const Case& wanted) const;
  /// Whether what the reader had set up in this chapter was kept when a question or a directive took its place.
  [[nodiscard]] bool has_own_version() const;
  /// Puts that back; it is the reader's own, whichever GPU is chosen since.
  void restore_own_version();
  /// The text of a slot: as the reader edited it, else the original.
  [[nodiscard]] const std::string& source(const std::string& slot) const;
  [[nodiscard]] bool edited(const std::string& slot) const {
    return inputs_.sources.contains(slot);
  }
  /// The question or task that put in what stands in this slot; null where that is the original or the reader's own.
  [[nodiscard]] const lab::DocumentNode* page_source(const std::string& slot) const;
  void set_source(const std::string& slot, std::string text);
  /// The reader goes to the step that begins at a node: a source that a question or task of another step had put in gives way to
  /// the original; a toast leads back.
  void enter_step(std::size_t first);
  void reset_source(const std::string& slot);

  // ---- The live run -----------------------------------------------------------------------------

  void run_now();
  void cancel();
  [[nodiscard]] lab::Experiment::Progress progress() const;
  /// Whether every change of the inputs starts a run.
  [[nodiscard]] bool live() const { return live_; }
  void set_live(bool live);
  /// The last finished run; null before the first.
  [[nodiscard]] const std::shared_ptr<const lab::Report>& report() const { return report_; }
  /// The report is not of the current inputs and sources.
  [[nodiscard]] bool stale() const;
  /// The hash that a report of the current inputs and sources has.
  [[nodiscard]] std::uint64_t inputs_hash() const { return inputs_hash_; }
  /// What the stale results on screen are of: another GPU, other values, or an earlier version of the sources. Speaks
  /// of the reader's program if its page is open, else of the active exercise's check if there is one, else of the run.
  [[nodiscard]] std::string stale_reason() const;
  [[nodiscard]] std::string stale_reason(const ExerciseAttempt& checked) const;
  /// Whether an exhibit on screen is a draft's.
  [[nodiscard]] bool of_draft(const lab::Exhibit& shown) const;
  /// What stands beside an exhibit's title: why it is stale, or that it is a draft's, and the whole run will come.
  [[nodiscard]] std::string note_on(const lab::Exhibit& shown, bool stale) const;
  /// The report whose pictures are on screen: the last run's; where that run did not get to its end, that of the last one that
  /// did. A source that no longer compiles keeps its pictures, so that nothing jumps while the reader types. Null before
  /// the first run.
  [[nodiscard]] const std::shared_ptr<const lab::Report>& pictures() const {
    return report_ && !report_->errors.empty() && whole_ ? whole_ : report_;
  }
  /// What pictures() shows is not of the current inputs and sources.
  [[nodiscard]] bool pictures_stale() const { return stale() || pictures() != report_; }
  /// All exhibits to show, in their order: the last run's; where that run failed, what it lacks is that of pictures(). What a draft showed
  /// since, and what the run in progress has published, takes the place of the last run's.
  [[nodiscard]] std::vector<ShownExhibit> shown_exhibits() const;
  [[nodiscard]] ShownExhibit shown_exhibit(std::string_view id) const;
  /// Of the reports that exhibits on screen are from, the newest: the last draft's, else the last run's.
  [[nodiscard]] const std::shared_ptr<const lab::Report>& newest() const {
    return draft_ ? draft_ : report_;
  }
  /// Shows this report as if the last run had made it.
  void adopt(std::shared_ptr<const lab::Report> report) {
    draft_.reset();
    take_report(std::move(report));
    ++news_;
  }
  /// Whether runs include the machine code of their sources. If the report on screen lacks it, the same inputs run again.
  void want_sass(bool wanted);
  [[nodiscard]] bool sass_wanted() const { return sass_; }

  /// Kernels of the reader's own that a Pareto chart of this chapter has shown, oldest first.
  [[nodiscard]] const lab::EarlierRuns& earlier_runs() const { return earlier_runs_; }
  /// Those of earlier sessions.
  void set_earlier_runs(lab::EarlierRuns runs);
  /// Puts the source of an earlier run, counted from 1, into its slot again.
  void open_earlier_run(std::uint64_t number);

  // ---- The GPU that is simulated ----------------------------------------------------------------

  /// A row of the GPU table. All runs, checks and comparisons of directives simulate this GPU.
  [[nodiscard]] const device::Properties& gpu() const;
  /// Ignores a name that the table does not have.
  void set_gpu(std::string_view name);

  // ---- Questions, and the runs that decide them -------------------------------------------------

  [[nodiscard]] const lab::AnswersGiven& answers() const { return answers_; }
  void set_answers(lab::AnswersGiven answers) { answers_ = std::move(answers); }
  /// Commits an answer (a choice's value; "" for "show me") and shows the run that decides the question.
  void answer(const std::string& id, const std::string& value);
  [[nodiscard]] bool answered(const std::string& id) const { return answers_.contains(id); }
  /// Takes an answer back: the question is open again, and covers what would give its answer away.
  void ask_again(const std::string& id);
  /// The same for all questions of the chapter.
  void ask_chapter_again();
  /// The same for the whole book; the answers of other chapters are taken back by who keeps them.
  void ask_book_again() {
    ask_chapter_again();
    book_asks_again_ = true;
  }
  [[nodiscard]] bool take_book_asks_again() { return std::exchange(book_asks_again_, false); }
  /// The answer that the deciding run gives; nothing until it has run.
  [[nodiscard]] std::optional<std::string> right_value(const lab::PredictDirective& predict) const;
  /// The open question whose answer the exhibit or figure `id` ("=name") would give away, so that it stays covered; null
  /// where there is none. Asked of the live run's inputs, or of others.
  [[nodiscard]] const lab::PredictDirective* veil(std::string_view id) const;
  [[nodiscard]] const lab::PredictDirective* veil(const lab::Inputs& inputs,
                                                  std::string_view id) const;
  /// The question that a lecture's screen asks; empty: none. While it is open, the live run covers what the question veils also where
  /// another run than the deciding one gives the same answer.
  void set_asked(std::string question);
  /// An open question that covers any part of a run of these inputs; null where there is none.
  [[nodiscard]] const lab::PredictDirective* open_question(const lab::Inputs& inputs) const;
  /// The run that decides a question: its own, or, where that is not there or failed, the one on screen if it has the same inputs.
  /// Null where there is neither.
  [[nodiscard]] std::shared_ptr<const lab::Report> deciding_report(
      const lab::PredictDirective& predict) const;
  /// The report of a directive's run; null until it has run.
  [[nodiscard]] std::shared_ptr<const lab::Report> side_report(const Case& wanted) const;
  /// How many side runs have finished.
  [[nodiscard]] std::uint64_t side_runs_done() const { return side_ ? side_->done() : 0; }
  /// A live figure's text as it is on screen; empty where no run of the current values has given it, so that a sentence never
  /// names new parameters beside figures of old ones.
  [[nodiscard]] std::string figure(std::string_view name) const;
  /// The same of one report; empty where the report lacks it.
  [[nodiscard]] std::string figure(std::string_view name, const lab::Report* report) const;

  // ---- Comparisons ------------------------------------------------------------------------------
  // The lab shows one at a time: the reader's own, else that of the directive that is being read.

  /// The reader's own comparison is shown.
  [[nodiscard]] bool comparing() const { return comparing_; }
  /// Side A or B of the reader's comparison; while there is none, of the last one.
  [[nodiscard]] const CompareSide& side(bool of_b) const { return sides_[of_b ? 1 : 0]; }
  /// The runs that the reader kept of this chapter, oldest first.
  [[nodiscard]] const std::vector<KeptRun>& kept_runs() const;
  /// Keeps the report on screen and compares it, as A, with the live run, as B. A stale report is not kept; a toast says so.
  void keep_run();
  /// A side that showed this run shows the live run instead, or another kept one.
  void forget_run(std::size_t index);
  /// Puts a run on a side. If the other side already shows that run, the sides swap. Ignores a run that does not exist.
  void choose_side(bool of_b, CompareSide side);
  /// Compares the reader's edit with the chapter's own sources under the same parameters, as A. If nothing is edited, a
  /// toast says so.
  void compare_with_original();
  /// Swaps A and B, in the reader's comparison or in the directive's that is shown.
  void swap_sides();
  /// The reader swapped the variants of the directive at that node of the document.
  [[nodiscard]] bool swapped(std::size_t node) const { return swapped_.contains(node); }
  /// Back to the live run alone. A directive's comparison comes back when another one, or none, has been read.
  void end_comparison();
  /// Ends the comparison that is shown, else shows the last one again. False where there is nothing to compare.
  bool toggle_comparison();
  /// The comparison that is being read, by its node in the document: it takes the lab's place.
  void follow_comparison(std::optional<std::size_t> node);
  void show_comparison(std::size_t node);
  /// Brings the live run on screen: ends a directive's comparison, and puts the live run on B if neither side shows it.
  void turn_to_live_run();
  [[nodiscard]] std::optional<std::size_t> compare_node() const { return compare_node_; }
  [[nodiscard]] std::optional<Compared> own_comparison() const;
  /// Of the directive at that node; nothing where the node is no comparison of two variants.
  [[nodiscard]] std::optional<Compared> comparison_of(std::size_t node) const;
  /// A parameter's value as texts say it: of a picture no path.
  [[nodiscard]] std::string value_text(std::string_view parameter, const lab::Value& value) const;
  /// How these inputs differ from the chapter's defaults, the GPU aside: "n = 8, block = 4".
  [[nodiscard]] std::string run_name(const lab::Inputs& inputs) const;

  // ---- Exercises --------------------------------------------------------------------------------

  /// The reader's attempt at an exercise of this chapter; null where the chapter has no such exercise.
  [[nodiscard]] ExerciseAttempt* attempt(std::string_view id) const;
  /// The exercise that the reader is working at, which takes the lab's place; null: the lab shows the live run.
  [[nodiscard]] ExerciseAttempt* active_attempt() const { return attempt(active_exercise_); }
  void set_active_exercise(std::string id) { active_exercise_ = std::move(id); }
  void write_exercise(const std::string& id, std::string text);
  /// Puts the starter back.
  void reset_exercise(const std::string& id);
  void show_next_hint(const std::string& id);

  // ---- The reader's own program -----------------------------------------------------------------

  [[nodiscard]] const MyProgram& my_program() const { return my_program_; }
  [[nodiscard]] MyProgram& my_program() { return my_program_; }
  /// Its page is shown, in place of the chapter's text and lab; run_now() and cancel() are about it.
  [[nodiscard]] bool program_open() const { return program_open_; }
  /// Shows the page. Where there is no program yet, begins one.
  void open_program_page();
  void close_program_page();
  /// Shows the page with this file. Where it cannot be read, a toast says so.
  void open_program(const std::filesystem::path& file);
  /// Begins a program that is a copy of the chapter's own; where that has none, of the first chapter's that has one.
  void begin_program();
  void write_program(std::string text);
  void set_program_arguments(std::string arguments);
  /// Saves what is due, and takes in what another editor has saved; a toast says what was kept, or what stands in the way.
  void follow_program_file();

  // ---- What else is shown, and how --------------------------------------------------------------

  LinkState link;
  [[nodiscard]] std::vector<Toast>& toasts() { return toasts_; }
  [[nodiscard]] const std::vector<Toast>& toasts() const { return toasts_; }
  /// Shows a toast, for `seconds` unless it reports an error. A toast with the same text is replaced.
  void tell(Toast::Kind kind, std::string text, double seconds = 4);
  /// The same with a button that does something about it.
  void offer(std::string text, std::string action, std::function<void(Book&)> act,
             double seconds = 12);
  /// Seconds until the next toast goes by itself; infinite where none does.
  [[nodiscard]] double seconds_to_change() const;
  /// An export that the reader asked for; the window carries it out, because it owns the clipboard and the screen.
  void want_export(Export wanted) { exports_.push_back(std::move(wanted)); }
  [[nodiscard]] std::vector<Export> take_exports() { return std::exchange(exports_, {}); }
  /// How the reader set up a panel: which view, unfolded or not. Below 0: never chosen. `key` begins with the exhibit's
  /// id, so that the same panel of another variant looks the same.
  [[nodiscard]] int choice(const std::string& key) const;
  void choose(const std::string& key, int what);

  // ---- Counters, by which a view knows when to lay out again ------------------------------------

  [[nodiscard]] std::uint64_t choices_made() const { return choices_made_; }
  /// Changes that are worth saving.
  [[nodiscard]] std::uint64_t edits() const { return edits_; }
  /// Results that runs and checks have brought.
  [[nodiscard]] std::uint64_t news() const { return news_; }
  /// Changes whenever a report changes, or the language in which it is shown.
  [[nodiscard]] std::uint64_t shown_version() const;
  /// Seconds on a clock that only goes forwards.
  [[nodiscard]] double now() const;

 private:
  // ---- The chapter
  void start(const lab::Lesson& lesson);
  void take_report(std::shared_ptr<const lab::Report> report);
  /// What is newer than the last run's report: what the run in progress has published, if that is of the current inputs, before the last
  /// draft.
  [[nodiscard]] std::vector<const lab::Report*> newer_reports() const;
  /// The report that a live figure on screen is from; null where there is none.
  [[nodiscard]] const lab::Report* report_of_figure(std::string_view name) const;
  /// The report that this exhibit or figure ("=name") on screen is from; null where there is none.
  [[nodiscard]] const lab::Report* report_of(std::string_view id) const;
  [[nodiscard]] std::string stale_reason(const lab::Report& of) const;
  void read_chapters();
  void reload_sources();
  /// The new text cannot be read: keeps the last good page and remembers the error.
  void keep_page(const device::Error& error);

  // ---- Questions
  /// The question that a lecture's screen asks, where it is open and veils `id`.
  [[nodiscard]] const lab::PredictDirective* asked_over(std::string_view id) const;
  /// The run on screen gives the question's answer, or may, because the deciding run has not ended.
  [[nodiscard]] bool gives_away(const lab::PredictDirective& question) const;

  // ---- Runs
  /// The inputs have changed: counts an edit, and asks for a run if runs follow changes.
  void changed(std::chrono::milliseconds delay,
               lab::Experiment::Pace pace = lab::Experiment::Pace::restart);
  void request(std::chrono::milliseconds delay,
               lab::Experiment::Pace pace = lab::Experiment::Pace::restart);
  /// Keeps what the reader has set up, if `next` takes the place of a source that no case of the page has or, with `values_too`, of
  /// values that none has; a toast says so and leads back.
  void keep_own_version(const lab::Inputs& next, bool values_too);
  /// "n = 8, block = 4": the values of `before` that differ in `now`.
  [[nodiscard]] std::string values_before(const lab::Inputs& before, const lab::Inputs& now) const;
  /// What the reader wrote, by slot.
  [[nodiscard]] std::map<std::string, std::string> own_sources() const;
  /// The cases that the page names: of its questions and their choices, its buttons and its comparisons.
  [[nodiscard]] std::vector<Case> cases() const;
  /// inputs_of() with the reader's own pictures, unless the case sets them itself.
  [[nodiscard]] lab::Inputs shown_inputs_of(const Case& wanted) const;
  /// The original text of a slot, read when first asked for.
  [[nodiscard]] const std::string& original(const lab::SourceSlot& slot) const;
  /// Side runs and checks follow the GPU that was chosen.
  void follow_gpu();
  void want_side_runs();

  // ---- The reader's own program
  void tell_kept(const std::filesystem::path& copy);
  void run_program();

  // ---- Comparisons
  void want_comparisons();
  void want_own_comparison();
  /// The inputs as the reader had set them when this report was asked for: a report names every source, and those that
  /// are the original count as not edited.
  [[nodiscard]] lab::Inputs inputs_of(const lab::Report& report) const;
  [[nodiscard]] static lab::Inputs original_inputs(const lab::Inputs& of);
  /// Whether there is a run for that side: it was kept, or something is edited.
  [[nodiscard]] bool has_side(const CompareSide& side) const;
  [[nodiscard]] std::shared_ptr<const lab::Report> run_of(const CompareSide& side) const;
  /// The GPU and the name of a side. `live`: the inputs of the live run.
  [[nodiscard]] const std::string& gpu_of(const CompareSide& side, const lab::Inputs& live) const;
  [[nodiscard]] std::string name_of(const CompareSide& side, const lab::Inputs& live) const;
  /// The names of A and B, with their GPUs if these differ.
  [[nodiscard]] std::array<std::string, 2> names_of_sides(const lab::Inputs& live) const;
  /// The kept run at `index` has been forgotten: takes it off both sides, and renumbers the later ones.
  void drop_from_comparison(std::size_t index);
  void show_sides(CompareSide a, CompareSide b);
  /// The run of a directive's variant. While the run on the chosen GPU is awaited, that on the GPU before it (`stale`).
  [[nodiscard]] std::shared_ptr<const lab::Report> variant_run(
      const lab::CompareDirective::Variant& variant, bool& stale) const;

  // ---- The chapter
  Options options_;
  std::shared_ptr<const lab::Strings> strings_;
  std::vector<lab::Language> languages_;
  std::vector<ChapterEntry> chapters_;
  std::map<std::string, std::size_t>
      done_;  ///< tasks, by chapter; of the open one as it was opened
  lab::Glossary glossary_;
  BookSearch search_;
  const lab::Lesson* lesson_ = nullptr;
  lab::Document document_;
  bool document_given_ = false;  ///< its text came with open(), so there is no file to read again
  std::uint64_t document_version_ = 0;
  std::optional<device::Error> document_error_;
  Excerpt error_excerpt_;

  // ---- Inputs and the live run
  lab::Inputs inputs_;
  std::uint64_t inputs_hash_ = 0;  ///< of the inputs with defaults and original sources filled in
  std::map<std::string, lab::Inputs, std::less<>> own_versions_;  ///< kept, by chapter
  bool live_ = true, sass_ = false;
  mutable std::map<std::string, std::string> originals_;  ///< by slot, read when first asked for
  std::shared_ptr<const lab::Report> report_;
  std::shared_ptr<const lab::Report> whole_;  ///< of the last run that got to its end
  std::shared_ptr<const lab::Report>
      finished_;  ///< the experiment's last whole run, when poll() last looked
  std::shared_ptr<const lab::Report> draft_;       ///< newer than that run; null: there is none
  std::shared_ptr<const lab::Report> unfinished_;  ///< what the run in progress has published
  std::uint64_t generation_ = 0;                   ///< of the experiment, when poll() last looked
  lab::EarlierRuns earlier_runs_;
  std::string followed_gpu_, earlier_gpu_;  ///< the GPU of side runs now, and the one before it

  // ---- Questions and exercises
  lab::AnswersGiven answers_;
  std::string asked_;  ///< by a lecture's screen; empty: none
  bool book_asks_again_ = false;
  std::map<std::string, std::unique_ptr<ExerciseAttempt>, std::less<>> attempts_;
  std::string active_exercise_;

  // ---- The reader's own program
  bool program_open_ = false;

  // ---- Comparisons
  std::map<std::string, std::vector<KeptRun>, std::less<>> kept_;  ///< by chapter
  bool comparing_ = false;
  std::array<CompareSide, 2> sides_;  ///< A and B
  std::shared_ptr<const lab::Report>
      original_shown_;             ///< the last run of the original; shown until the next has run
  std::set<std::size_t> swapped_;  ///< nodes of directives
  std::optional<std::size_t> compare_node_;
  std::optional<std::size_t> ended_node_;  ///< a directive whose comparison the reader ended

  // ---- What else is shown
  std::vector<Toast> toasts_;
  std::vector<Export> exports_;
  std::map<std::string, int> choices_;
  std::uint64_t choices_made_ = 0, edits_ = 0, news_ = 0;

  // Last, because their threads use what is above.
  std::uint64_t side_seen_ = 0, compared_seen_ = 0;  ///< finished jobs that poll() has taken in
  std::unique_ptr<Comparisons> comparisons_;
  std::unique_ptr<SideRuns> side_, original_runs_;
  MyProgram my_program_;
  std::unique_ptr<lab::Experiment> experiment_;
};

}  // namespace warpbook::gui
