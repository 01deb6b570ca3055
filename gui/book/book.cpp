#include "gui/book/book.hpp"

#include <malloc.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "lab/document/markdown.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/program/chapter_program.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::gui {
namespace {
using SideKind = CompareSide::Kind;

/// Places of Comparisons: the reader's own comparison, and that of the directive at a node of the document.
constexpr const char* kOwn = "own";
std::string place_of(std::size_t node) { return "node " + std::to_string(node); }

std::string original_text(const std::string& root, const std::string& path) {
  const auto text = lab::read_source_file(root, path);
  return text ? lab::without_rung_block(*text) : std::string();
}

constexpr std::size_t kMostKept = 8;  // runs that a chapter keeps; the oldest makes room

/// The run that a question asks about, as lab::deciding_inputs() has it.
lab::Inputs question_inputs(const Book& book, const lab::PredictDirective& predict) {
  lab::Inputs inputs = book.inputs_of(case_of(predict));
  inputs.gpu = device::kDefaultGpu;
  return inputs;
}

/// "old: T4"; where no GPU of that name is known, the plain sentence that the results are of an earlier version.
std::string of_gpu(const lab::Strings& strings, const std::string& gpu) {
  const device::Properties* known = device::find_gpu(gpu);
  return known ? strings("gui.stale-gpu", {{"gpu", known->name}}) : strings("gui.stale");
}

/// A run with findings is as good as any where it went on to its end.
bool shows_all_of(const lab::Report& report, const lab::Report& other) {
  return std::ranges::all_of(other.exhibits,
                             [&](const lab::Exhibit& shown) { return report.find(shown.id); });
}
}  // namespace

// ---- The chapter --------------------------------------------------------------------------------

Book::Book(Options options)
    : options_(std::move(options)), my_program_(options_.programs, options_.wake) {
  auto strings = lab::Strings::load(options_.language, options_.root);
  if (strings) {
    strings_ = std::move(*strings);
  } else {
    strings_ = std::make_shared<const lab::Strings>();
    document_error_ = strings.error();
  }
  languages_ = lab::known_languages(options_.root);
  read_chapters();
}

Book::~Book() = default;

void Book::read_chapters() {
  chapters_.clear();
  glossary_ = {};
  search_ = {};
  std::vector<std::pair<std::string, lab::Document>> documents;  // by slug; those that can be read
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    auto document = lab::load_document(options_.root, lesson.slug, options_.language);
    chapters_.push_back({lesson.slug, document ? document->title : lesson.slug, 0});
    if (!document) continue;
    chapters_.back().tasks = static_cast<std::size_t>(
        std::ranges::count_if(document->nodes, [](const lab::DocumentNode& node) {
          return std::holds_alternative<lab::PredictDirective>(node) ||
                 std::holds_alternative<lab::ExerciseDirective>(node);
        }));
    glossary_.add(lesson.slug, *document);
    search_.add(lesson.slug, *document);
    documents.emplace_back(lesson.slug, std::move(*document));
  }
  for (const auto& [slug, document] : documents) glossary_.note_uses(slug, document);
}

std::size_t Book::done(const ChapterEntry& entry) const {
  if (!lesson_ || lesson_->slug != entry.slug) {
    const auto found = done_.find(entry.slug);
    return found == done_.end() ? 0 : std::min(found->second, entry.tasks);
  }
  return static_cast<std::size_t>(
      std::ranges::count_if(document_.nodes, [this](const lab::DocumentNode& node) {
        if (const auto* question = std::get_if<lab::PredictDirective>(&node))
          return answered(question->id);
        const auto* exercise = std::get_if<lab::ExerciseDirective>(&node);
        const ExerciseAttempt* tried = exercise ? attempt(exercise->id) : nullptr;
        return tried && tried->passed();
      }));
}

bool Book::open(std::string_view slug) {
  const lab::Lesson* lesson = lessons::find(slug);
  if (!lesson) return false;
  document_given_ = false;
  start(*lesson);
  reload();
  want_side_runs();
  return true;
}

void Book::open_scratch_page() { open(lessons::scratch().slug); }

bool Book::on_scratch_page() const { return lesson_ == &lessons::scratch(); }

void Book::open(const lab::Lesson& lesson, lab::Document document) {
  document_given_ = true;
  document_ = std::move(document);
  ++document_version_;
  start(lesson);
  want_side_runs();
}

void Book::start(const lab::Lesson& lesson) {
  experiment_.reset();
  original_runs_.reset();
  side_.reset();
  lesson_ = &lesson;
  lab::Inputs opened;
  opened.gpu = inputs_.gpu;
  inputs_ = std::move(opened);
  inputs_.values = lab::defaults(lesson.parameters);
  if (options_.kept_inputs) inputs_ = options_.kept_inputs(lesson, std::move(inputs_));
  originals_.clear();
  report_.reset();
  whole_.reset();
  finished_.reset();
  draft_.reset();
  unfinished_.reset();
  ++news_;
  generation_ = 0;
  earlier_runs_.clear();
  active_exercise_.clear();
  close_program_page();
  choices_.clear();
  comparing_ = false;
  sides_ = {};
  original_shown_.reset();
  swapped_.clear();
  compare_node_.reset();
  ended_node_.reset();
  side_seen_ = 0;
  comparisons_ = std::make_unique<Comparisons>(options_.wake);
  attempts_.clear();
  // What a chapter's runs took and gave back lies scattered over malloc's arenas, of which there is one for each thread.
  ::malloc_trim(0);
  for (const std::string& id : lesson.exercises) {
    auto attempt = std::make_unique<ExerciseAttempt>(id, options_.root, options_.wake);
    attempt->read(options_.language);
    attempt->set_gpu(inputs_.gpu);
    attempt->want_sass(sass_);
    attempts_.emplace(id, std::move(attempt));
  }
  if (!options_.compiler) options_.compiler = std::make_shared<device::Compiler>();
  side_ = std::make_unique<SideRuns>(lesson, options_.compiler, options_.root, options_.wake);
  experiment_ = std::make_unique<lab::Experiment>(lesson, options_.compiler, options_.root);
  if (options_.wake) experiment_->on_news(options_.wake);
  experiment_->with_sass(sass_);
  followed_gpu_ = earlier_gpu_ = inputs_.gpu;
  changed({});
  if (!live_) request({});
}

void Book::reload() {
  ++news_;
  reload_sources();
  if (auto strings = lab::Strings::load(options_.language, options_.root)) {
    strings_ = std::move(*strings);
  } else {
    keep_page(strings.error());
    return;
  }
  languages_ = lab::known_languages(options_.root);
  read_chapters();
  if (!lesson_ || document_given_) return;
  auto document = lab::load_document(options_.root, lesson_->slug, options_.language);
  if (!document) {
    keep_page(document.error());
    return;
  }
  if (auto problems = lab::validate(*document, *lesson_, options_.root); !problems.empty()) {
    keep_page(problems.front());
    return;
  }
  document_error_.reset();
  lab::link_terms(*document, lesson_->slug, glossary_);
  document_ = std::move(*document);
  ++document_version_;
  for (auto& [id, attempt] : attempts_) attempt->read(options_.language);
  if (side_) want_side_runs();
}

void Book::keep_page(const device::Error& error) {
  document_error_ = error;
  error_excerpt_ = excerpt_of(options_.root, error.place);
}

void Book::reload_sources() {
  const auto before = std::exchange(originals_, {});
  bool differs = false;
  for (const auto& [slot, text] : before)
    differs |= !inputs_.sources.contains(slot) && source(slot) != text;
  if (!differs || !experiment_) return;
  // The inputs are the same, but the files that they stand for have changed, so everything runs again.
  original_runs_.reset();
  original_shown_.reset();
  side_ = std::make_unique<SideRuns>(*lesson_, options_.compiler, options_.root, options_.wake);
  changed({});
}

void Book::set_language(const std::string& language) {
  if (language == options_.language) return;
  options_.language = language;
  ++edits_;
  reload();
}

bool Book::poll() {
  bool news = false;
  if (experiment_ && experiment_->generation() != generation_) {
    generation_ = experiment_->generation();
    draft_ = lab::with_earlier_runs(experiment_->draft(), earlier_runs_);
    if (auto latest = experiment_->latest(); latest != finished_) {
      finished_ = latest;
      take_report(std::move(latest));
    }
    news = true;
  }
  if (experiment_ && experiment_->unfinished() != unfinished_) {
    unfinished_ = experiment_->unfinished();
    news = true;
  }
  const std::uint64_t side_done = side_runs_done() + (original_runs_ ? original_runs_->done() : 0);
  if (side_ && (news || side_done != side_seen_)) {
    news |= side_done != side_seen_;
    side_seen_ = side_done;
    want_comparisons();
  }
  if (comparisons_ && comparisons_->done() != compared_seen_) {
    compared_seen_ = comparisons_->done();
    news = true;
  }
  news |= my_program_.poll();
  for (auto& [id, attempt] : attempts_) {
    if (!attempt->poll()) continue;
    news = true;
    ++edits_;
    const auto result = attempt->result();
    if (!result->graded || attempt->stale()) continue;
    if (result->passed)
      tell(Toast::Kind::ok, (*strings_)("gui.exercise.passed"));
    else if (const auto* failed = attempt->first_failed())
      tell(Toast::Kind::plain,
           (*strings_)("gui.exercise.failed", {{"what", said_with_got(*failed, *strings_)}}));
  }
  news_ += news ? 1 : 0;
  return news;
}

void Book::take_report(std::shared_ptr<const lab::Report> report) {
  if (report && lab::remember(earlier_runs_, *report)) ++edits_;
  report_ = lab::with_earlier_runs(std::move(report), earlier_runs_);
  if (report_ && (report_->errors.empty() || (whole_ && shows_all_of(*report_, *whole_))))
    whole_ = report_;
}

void Book::set_earlier_runs(lab::EarlierRuns runs) {
  // A run may have come in before the session was read.
  for (lab::EarlierRun& run : earlier_runs_) runs.push_back(std::move(run));
  earlier_runs_ = std::move(runs);
}

void Book::open_earlier_run(std::uint64_t number) {
  if (number == 0 || number > earlier_runs_.size()) return;
  const lab::EarlierRun run = earlier_runs_[number - 1];
  set_source(run.slot, run.source);
}

std::vector<const lab::Report*> Book::newer_reports() const {
  std::vector<const lab::Report*> newer;
  if (unfinished_ && unfinished_->inputs_hash == inputs_hash_) newer.push_back(unfinished_.get());
  // A slider that came back to the last run's value has nothing newer.
  if (draft_ && (!report_ || stale())) newer.push_back(draft_.get());
  return newer;
}

const lab::Report* Book::report_of_figure(std::string_view name) const {
  if (!report_ || !lesson_) return nullptr;
  // While a run for the new inputs is on its way, text that blinks would be worse than one that is late.
  const bool awaited = experiment_ && experiment_->wanted() == inputs_hash_;
  if (stale() && !awaited) return nullptr;
  if (pictures() == report_ || !figure(name, report_.get()).empty()) return report_.get();
  // What the last good run gave holds for an edited source at most, not for other values that are named beside it.
  const lab::Inputs before = inputs_of(*whole_);
  const bool same = before.gpu == inputs_.gpu && values_before(before, inputs_).empty();
  return same ? whole_.get() : nullptr;
}

std::string Book::figure(std::string_view name) const {
  return figure(name, report_of_figure(name));
}

const lab::Report* Book::report_of(std::string_view id) const {
  if (id.starts_with('=')) return report_of_figure(id.substr(1));
  for (const lab::Report* newer : newer_reports()) {
    if (newer->find(id)) return newer;
  }
  return (report_ && report_->find(id) ? report_ : pictures()).get();
}

std::vector<ShownExhibit> Book::shown_exhibits() const {
  std::vector<ShownExhibit> shown;
  const auto add = [&](const lab::Report& report) {
    for (const lab::Exhibit& one : report.exhibits) {
      const bool added = std::ranges::any_of(
          shown, [&](const ShownExhibit& other) { return other.exhibit->id == one.id; });
      if (!added) shown.push_back(shown_exhibit(one.id));
    }
  };
  if (report_ && pictures() != report_) add(*whole_);
  if (report_) add(*report_);
  for (const lab::Report* newer : newer_reports()) add(*newer);
  return shown;
}

ShownExhibit Book::shown_exhibit(std::string_view id) const {
  const lab::Report* of = report_of(id);
  if (!of) return {};
  const bool before_failed_run = report_ && of == whole_.get() && whole_ != report_;
  return {of->find(id), before_failed_run || of->inputs_hash != inputs_hash_};
}

void Book::settle() {
  if (experiment_) experiment_->settle();
  if (side_) side_->settle();
  poll();
  if (original_runs_) original_runs_->settle();
  poll();
  if (comparisons_) comparisons_->settle();
  my_program_.settle();
  poll();
}

// ---- What the live run is given -----------------------------------------------------------------

void Book::set_inputs(lab::Inputs inputs, std::chrono::milliseconds delay) {
  inputs_ = std::move(inputs);
  changed(delay);
}

device::Expected<device::Done> Book::type_value(std::string_view name, std::string_view text) {
  lab::Values values = inputs_.values;
  auto done = lab::assign(lesson_->parameters, values, std::string(name) + "=" + std::string(text));
  if (!done) return tl::unexpected(done.error());
  inputs_.values = std::move(values);
  changed(kValueDelay, lab::Experiment::Pace::preview);
  return done;
}

void Book::set_value(const std::string& name, lab::Value value) {
  inputs_.values.set(name, std::move(value));
  changed(kValueDelay, lab::Experiment::Pace::preview);
}

void Book::drag_value(const std::string& name, lab::Value value) {
  inputs_.values.set(name, std::move(value));
  changed({}, lab::Experiment::Pace::follow);
}

void Book::end_drag() {
  if (live_ && experiment_) experiment_->rest();
}

void Book::reset_values() {
  inputs_.values = lab::defaults(lesson_->parameters);
  changed({}, lab::Experiment::Pace::preview);
}

void Book::choose_preset(const lab::Preset& preset) {
  for (const lab::Parameter& parameter : lesson_->parameters) {
    const lab::Value* value = preset.values.find(parameter.name);
    if (value)
      inputs_.values.set(parameter.name, *value);
    else if (parameter.type != lab::Parameter::Type::picture)
      inputs_.values.set(parameter.name, parameter.initial);
  }
  inputs_.sources = own_sources();
  changed({}, lab::Experiment::Pace::preview);
}

void Book::drop_file(const std::string& path) {
  if (path.ends_with(".cu")) {
    open_program(path);
    return;
  }
  const auto complain = [&](std::string text) { tell(Toast::Kind::bad, std::move(text)); };
  if (!lesson_) return;
  for (const lab::Parameter& parameter : lesson_->parameters) {
    if (parameter.type != lab::Parameter::Type::picture) continue;
    if (const auto taken = type_value(parameter.name, path); !taken)
      complain((*strings_)(taken.error()));
    return;
  }
  complain((*strings_)("gui.picture.no-place"));
}

const device::Error* Book::picture_error(const lab::Parameter& parameter) const {
  if (parameter.type != lab::Parameter::Type::picture || !report_) return nullptr;
  const device::MessageArgument file{"file", inputs_.values.picture(parameter.name)};
  const auto found = std::ranges::find_if(report_->errors, [&](const device::Error& error) {
    return error.code == device::ErrorCode::file_unreadable &&
           std::ranges::find(error.arguments, file) != error.arguments.end();
  });
  return found == report_->errors.end() ? nullptr : &*found;
}

lab::Inputs Book::inputs_of(const Case& wanted) const {
  lab::Inputs inputs = inputs_;
  inputs.sources.clear();
  inputs.values = lab::defaults(lesson_->parameters);
  for (const auto& [name, text] : wanted.values) {
    // A value out of range is an error of the document, which validate() reports. Here the default
    // takes its place.
    if (!lab::assign(lesson_->parameters, inputs.values, name + "=" + text)) continue;
  }
  if (!wanted.source_text.empty() && !lesson_->slots.empty() &&
      wanted.source != lesson_->slots.front().path) {
    inputs.sources[lesson_->slots.front().name] = wanted.source_text;
  }
  return inputs;
}

lab::Inputs Book::shown_inputs_of(const Case& wanted) const {
  lab::Inputs inputs = inputs_of(wanted);
  for (const lab::Parameter& parameter : lesson_->parameters) {
    if (parameter.type == lab::Parameter::Type::picture && !wanted.values.contains(parameter.name))
      inputs.values.set(parameter.name, inputs_.values.picture(parameter.name));
  }
  return inputs;
}

void Book::set_case(const Case& wanted) {
  lab::Inputs inputs = shown_inputs_of(wanted);
  if (wanted.source.empty()) inputs.sources = own_sources();
  keep_own_version(inputs, false);  // whoever presses a button for values wants these
  active_exercise_.clear();
  turn_to_live_run();
  set_inputs(std::move(inputs));
  if (!live_) request({});
}

const lab::DocumentNode* Book::page_source(const std::string& slot) const {
  const auto found = inputs_.sources.find(slot);
  if (found == inputs_.sources.end() || slot != lesson_->slots.front().name) return nullptr;
  const auto has_it = [&](const auto& of) { return of.source_text == found->second; };
  for (const lab::DocumentNode& node : document_.nodes) {
    const auto* question = std::get_if<lab::PredictDirective>(&node);
    const auto* button = std::get_if<lab::TryDirective>(&node);
    if ((question && has_it(*question)) || (button && has_it(*button))) return &node;
  }
  return nullptr;
}

std::map<std::string, std::string> Book::own_sources() const {
  std::map<std::string, std::string> own = inputs_.sources;
  std::erase_if(own, [&](const auto& slot) { return page_source(slot.first) != nullptr; });
  return own;
}

std::string Book::values_before(const lab::Inputs& before, const lab::Inputs& now) const {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const auto& [name, value] : before.values.all()) {
    const lab::Value* other = now.values.find(name);
    if (other && *other != value) settings.emplace_back(name, value_text(name, value));
  }
  return lab::settings_text(settings);
}

void Book::enter_step(std::size_t first) {
  if (!lesson_ || lesson_->slots.empty()) return;
  const std::string& slot = lesson_->slots.front().name;
  const lab::DocumentNode* from = page_source(slot);
  if (!from) return;
  const auto node = static_cast<std::size_t>(from - document_.nodes.data());
  std::size_t last = first + 1;
  while (last < document_.nodes.size() &&
         !std::holds_alternative<lab::StepDirective>(document_.nodes[last]))
    ++last;
  if (node >= first && node < last) return;
  lab::Inputs before = inputs_;
  reset_source(slot);
  offer((*strings_)("gui.own.source"), (*strings_)("gui.own.back"),
        [chapter = lesson_->slug, before = std::move(before)](Book& book) {
          if (book.lesson()->slug != chapter) return;
          lab::Inputs back = before;
          back.gpu = book.inputs().gpu;
          book.set_inputs(std::move(back));
        });
}

std::vector<Case> Book::cases() const {
  std::vector<Case> all;
  for (const lab::DocumentNode& node : document_.nodes) {
    if (const auto* question = std::get_if<lab::PredictDirective>(&node)) {
      all.push_back(case_of(*question));
      for (const auto& choice : question->choices)
        all.push_back({choice.set, question->source, question->source_text});
    } else if (const auto* button = std::get_if<lab::TryDirective>(&node)) {
      all.push_back(case_of(*button));
    } else if (const auto* compare = std::get_if<lab::CompareDirective>(&node)) {
      for (const auto& variant : compare->variants) all.push_back(case_of(variant));
    }
  }
  return all;
}

void Book::keep_own_version(const lab::Inputs& next, bool values_too) {
  std::vector<lab::Inputs> known{shown_inputs_of(Case{})};
  for (const lab::Preset& preset : lesson_->presets) {
    known.push_back(known.front());
    for (const auto& [name, value] : preset.values.all()) known.back().values.set(name, value);
  }
  for (const Case& one : cases()) known.push_back(shown_inputs_of(one));
  const bool wrote = inputs_.sources != next.sources && !own_sources().empty();
  const bool set = values_too && !values_before(inputs_, next).empty() &&
                   std::ranges::none_of(known, [&](const lab::Inputs& one) {
                     return values_before(inputs_, one).empty();
                   });
  if (!wrote && !set) return;
  // Values are set again in a moment, so they do not push out a source.
  if (const auto kept = own_versions_.find(lesson_->slug);
      !wrote && kept != own_versions_.end() && !kept->second.sources.empty())
    return;
  own_versions_[lesson_->slug] = inputs_;
  offer((*strings_)("gui.own.kept", {{"run", run_name(inputs_)}}), (*strings_)("gui.own.back"),
        [](Book& book) { book.restore_own_version(); });
}

bool Book::has_own_version() const { return lesson_ && own_versions_.contains(lesson_->slug); }

void Book::restore_own_version() {
  if (!has_own_version()) return;
  lab::Inputs own = std::move(own_versions_.extract(lesson_->slug).mapped());
  own.gpu = inputs_.gpu;
  active_exercise_.clear();
  turn_to_live_run();
  set_inputs(std::move(own));
  if (!live_) request({});
}

const std::string& Book::source(const std::string& slot) const {
  if (const auto found = inputs_.sources.find(slot); found != inputs_.sources.end())
    return found->second;
  static const std::string none;
  if (!lesson_) return none;
  const auto place = std::ranges::find(lesson_->slots, slot, &lab::SourceSlot::name);
  return place == lesson_->slots.end() ? none : original(*place);
}

const std::string& Book::original(const lab::SourceSlot& slot) const {
  const auto [entry, added] = originals_.try_emplace(slot.name);
  if (added) entry->second = original_text(options_.root, slot.path);
  return entry->second;
}

void Book::set_source(const std::string& slot, std::string text) {
  if (text == source(slot)) return;
  inputs_.sources.erase(slot);
  if (text != source(slot))
    inputs_.sources[slot] = std::move(text);  // the original once more is no edit
  changed(kSourceDelay);
}

void Book::reset_source(const std::string& slot) {
  if (inputs_.sources.erase(slot) == 0) return;
  changed({});
}

void Book::changed(std::chrono::milliseconds delay, lab::Experiment::Pace pace) {
  ++edits_;
  if (inputs_.gpu != followed_gpu_) follow_gpu();
  const auto completed = lab::completed(*lesson_, inputs_, options_.root);
  inputs_hash_ = completed ? lab::hash_of(*completed) : 0;
  if (live_) request(delay, pace);
}

// ---- The live run -------------------------------------------------------------------------------

void Book::request(std::chrono::milliseconds delay, lab::Experiment::Pace pace) {
  if (experiment_) experiment_->request(inputs_, delay, pace);
}

void Book::run_now() {
  if (program_open_) {
    run_program();
  } else if (ExerciseAttempt* attempt = active_attempt()) {
    attempt->check();
  } else {
    request({});
  }
}

void Book::cancel() {
  if (program_open_) my_program_.cancel();
  if (experiment_) experiment_->cancel();
  if (ExerciseAttempt* attempt = active_attempt()) attempt->cancel();
}

lab::Experiment::Progress Book::progress() const {
  return experiment_ ? experiment_->progress() : lab::Experiment::Progress{};
}

void Book::set_live(bool live) {
  live_ = live;
  ++edits_;
  if (live_ && stale()) request({});
}

void Book::want_sass(bool wanted) {
  if (wanted == sass_) return;
  sass_ = wanted;
  if (!experiment_) return;
  experiment_->with_sass(wanted);
  for (auto& [id, attempt] : attempts_) attempt->want_sass(wanted);
  if (ExerciseAttempt* attempt = active_attempt(); attempt && attempt->lacks_sass())
    attempt->check();
  const auto has_it = [](const lab::Exhibit& exhibit) {
    const auto* source = std::get_if<lab::SourceExhibit>(&exhibit.value);
    return source && source->sass;
  };
  // A report that is out of date is not refreshed here: the reader has not asked for that run.
  const bool has = report_ && std::ranges::any_of(report_->exhibits, has_it);
  if (wanted && !has && !stale()) request({});
}

bool Book::stale() const { return report_ && report_->inputs_hash != inputs_hash_; }

std::string Book::stale_reason(const ExerciseAttempt& checked) const {
  return of_gpu(*strings_, checked.gpu_before());
}

std::string Book::stale_reason() const {
  if (program_open_) return of_gpu(*strings_, my_program_.gpu_before());
  if (const ExerciseAttempt* at_work = active_attempt()) return stale_reason(*at_work);
  // The variants of a directive become stale in one way only: the reader chose another GPU.
  if (!stale() || !lesson_)
    return of_gpu(*strings_, earlier_gpu_ == inputs_.gpu ? std::string() : earlier_gpu_);
  return stale_reason(*report_);
}

std::string Book::stale_reason(const lab::Report& of) const {
  const lab::Inputs before = inputs_of(of);
  if (before.sources != inputs_.sources) return (*strings_)("gui.stale");
  if (before.gpu != inputs_.gpu) return of_gpu(*strings_, before.gpu);
  const std::string values = values_before(before, inputs_);
  return values.empty() ? (*strings_)("gui.stale")
                        : (*strings_)("gui.stale-values", {{"values", values}});
}

bool Book::of_draft(const lab::Exhibit& shown) const {
  return draft_ && draft_->find(shown.id) == &shown;
}

std::string Book::note_on(const lab::Exhibit& shown, bool stale) const {
  if (stale) return of_draft(shown) ? stale_reason(*draft_) : stale_reason();
  return of_draft(shown) ? (*strings_)("gui.draft") : "";
}

// ---- The GPU that is simulated ------------------------------------------------------------------

const device::Properties& Book::gpu() const {
  const device::Properties* row = device::find_gpu(inputs_.gpu);
  return row ? *row : *device::find_gpu(lab::Inputs{}.gpu);
}

void Book::set_gpu(std::string_view name) {
  const device::Properties* row = device::find_gpu(name);
  if (!row || row == &gpu()) return;
  // The default GPU keeps the name that inputs have by default, so that the same run has the same hash.
  const std::string usual = lab::Inputs{}.gpu;
  inputs_.gpu = row == device::find_gpu(usual) ? usual : row->name;
  my_program_.set_gpu(inputs_.gpu);
  if (lesson_) changed({});
}

void Book::follow_gpu() {
  earlier_gpu_ = std::exchange(followed_gpu_, inputs_.gpu);
  for (auto& [id, attempt] : attempts_) attempt->set_gpu(inputs_.gpu);
  my_program_.set_gpu(inputs_.gpu);
  side_->keep_if([&](const lab::Inputs& one) {
    return one.gpu == followed_gpu_ || one.gpu == earlier_gpu_ || one.gpu == device::kDefaultGpu;
  });
  ++news_;
  want_side_runs();
}

// ---- Questions, and the runs that decide them ---------------------------------------------------

void Book::want_side_runs() {
  for (const lab::DocumentNode& node : document_.nodes) {
    if (const auto* predict = std::get_if<lab::PredictDirective>(&node)) {
      side_->want(question_inputs(*this, *predict));
    } else if (const auto* compare = std::get_if<lab::CompareDirective>(&node)) {
      for (const auto& variant : compare->variants) side_->want(inputs_of(case_of(variant)));
    }
  }
  want_comparisons();
}

std::shared_ptr<const lab::Report> Book::side_report(const Case& wanted) const {
  return side_ ? side_->find(inputs_of(wanted)) : nullptr;
}

void Book::answer(const std::string& id, const std::string& value) {
  if (answers_.contains(id)) return;
  answers_[id] = value;
  ++edits_;
  for (const lab::DocumentNode& node : document_.nodes) {
    const auto* predict = std::get_if<lab::PredictDirective>(&node);
    if (!predict || predict->id != id) continue;
    lab::Inputs wanted = shown_inputs_of(case_of(*predict));
    active_exercise_.clear();
    turn_to_live_run();
    if (wanted == inputs_) return;
    keep_own_version(wanted, true);
    set_inputs(std::move(wanted));
    if (!live_) request({});
  }
}

void Book::ask_again(const std::string& id) {
  if (answers_.erase(id) > 0) ++edits_;
}

void Book::ask_chapter_again() {
  for (const lab::DocumentNode& node : document_.nodes) {
    if (const auto* predict = std::get_if<lab::PredictDirective>(&node)) ask_again(predict->id);
  }
}

std::shared_ptr<const lab::Report> Book::deciding_report(
    const lab::PredictDirective& predict) const {
  const lab::Inputs asked = question_inputs(*this, predict);
  auto own = side_ ? side_->find(asked) : nullptr;
  if (own && own->errors.empty()) return own;
  const bool here = report_ && report_->inputs.gpu == asked.gpu &&
                    lab::decides(predict, *lesson_, report_->inputs);
  return here ? report_ : own;
}

std::optional<std::string> Book::right_value(const lab::PredictDirective& predict) const {
  const auto report = deciding_report(predict);
  return report ? lab::computed_answer(predict, *lesson_, *report) : std::nullopt;
}

void Book::set_asked(std::string question) {
  if (question == asked_) return;
  asked_ = std::move(question);
  ++edits_;
}

const lab::PredictDirective* Book::asked_over(std::string_view id) const {
  if (asked_.empty() || answered(asked_)) return nullptr;
  for (const lab::DocumentNode& node : document_.nodes) {
    const auto* question = std::get_if<lab::PredictDirective>(&node);
    if (!question || question->id != asked_) continue;
    return std::ranges::find(question->veils, id) != question->veils.end() ? question : nullptr;
  }
  return nullptr;
}

bool Book::gives_away(const lab::PredictDirective& question) const {
  const auto answer = std::ranges::find(lesson_->answers, question.answer, &lab::Answer::name);
  if (!report_ || answer == lesson_->answers.end()) return false;
  const std::string shown = answer->value(*report_);
  if (shown.empty()) return false;
  const auto right = right_value(question);
  return !right || shown == *right;
}

const lab::PredictDirective* Book::veil(std::string_view id) const {
  const lab::PredictDirective* first = veil(inputs_, id);
  // What is still of other inputs answers the questions of those.
  if (const lab::Report* of = report_of(id); !first && of && of->inputs_hash != inputs_hash_)
    first = veil(inputs_of(*of), id);
  // A class is told of the question that it is asked, not of one on another screen.
  const lab::PredictDirective* asked = lesson_ ? asked_over(id) : nullptr;
  return asked && (first || gives_away(*asked)) ? asked : first;
}

const lab::PredictDirective* Book::veil(const lab::Inputs& inputs, std::string_view id) const {
  return lesson_ ? lab::veiled_by(document_, *lesson_, inputs, answers_, id) : nullptr;
}

const lab::PredictDirective* Book::open_question(const lab::Inputs& inputs) const {
  for (const lab::DocumentNode& node : document_.nodes) {
    const auto* question = std::get_if<lab::PredictDirective>(&node);
    if (!question) continue;
    for (const std::string& id : question->veils) {
      if (const lab::PredictDirective* open = veil(inputs, id)) return open;
    }
  }
  return nullptr;
}

std::string Book::figure(std::string_view name, const lab::Report* report) const {
  if (!report || !lesson_) return {};
  const auto found = std::ranges::find(lesson_->figures, name, &lab::LiveFigure::name);
  return found == lesson_->figures.end() ? std::string() : found->value(*report);
}

// ---- Comparisons: what the reader holds against each other --------------------------------------

const std::vector<KeptRun>& Book::kept_runs() const {
  static const std::vector<KeptRun> none;
  const auto found = lesson_ ? kept_.find(lesson_->slug) : kept_.end();
  return found == kept_.end() ? none : found->second;
}

void Book::keep_run() {
  const auto say = [&](const char* key) { tell(Toast::Kind::plain, (*strings_)(key)); };
  if (!lesson_ || active_attempt()) return;
  if (!report_ || stale()) {
    say("gui.compare.not-yet");
    return;
  }
  std::vector<KeptRun>& runs = kept_[lesson_->slug];
  auto same = std::ranges::find(runs, report_->inputs_hash,
                                [](const KeptRun& run) { return run.report->inputs_hash; });
  if (same == runs.end()) {
    if (runs.size() == kMostKept) runs.erase(runs.begin());
    runs.push_back({inputs_, report_});
    same = runs.end() - 1;
  } else {
    same->report = report_;
  }
  show_sides({SideKind::kept, static_cast<std::size_t>(same - runs.begin())}, {});
  say("gui.compare.kept");
}

void Book::forget_run(std::size_t index) {
  std::vector<KeptRun>& runs = kept_[lesson_->slug];
  if (index >= runs.size()) return;
  runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(index));
  drop_from_comparison(index);
  ++news_;
  want_own_comparison();
}

void Book::drop_from_comparison(std::size_t gone) {
  const CompareSide live;
  for (const bool of_b : {false, true}) {
    CompareSide &here = sides_[of_b ? 1 : 0], &other = sides_[of_b ? 0 : 1];
    if (here.kind != SideKind::kept || here.kept < gone) continue;
    if (here.kept > gone) {
      --here.kept;
      continue;
    }
    here = other == live ? CompareSide{SideKind::kept, gone == 0 ? 0 : gone - 1} : live;
  }
  comparing_ = comparing_ && has_side(sides_[0]) && has_side(sides_[1]);
}

bool Book::has_side(const CompareSide& side) const {
  switch (side.kind) {
    case SideKind::live: return true;
    case SideKind::kept: return side.kept < kept_runs().size();
    case SideKind::original: return !inputs_.sources.empty();
  }
  __builtin_unreachable();
}

void Book::choose_side(bool of_b, CompareSide side) {
  if (!lesson_ || !has_side(side)) return;
  CompareSide &here = sides_[of_b ? 1 : 0], &other = sides_[of_b ? 0 : 1];
  if (side == other) other = here;
  here = side;
  show_sides(sides_[0], sides_[1]);
}

void Book::show_sides(CompareSide a, CompareSide b) {
  sides_ = {a, b};
  comparing_ = true;
  active_exercise_.clear();
  ++news_;
  want_own_comparison();
}

void Book::compare_with_original() {
  if (!lesson_) return;
  if (inputs_.sources.empty()) {
    tell(Toast::Kind::plain, (*strings_)("gui.compare.unedited"));
    return;
  }
  show_sides({SideKind::original}, {});
}

void Book::swap_sides() {
  if (comparing_) {
    show_sides(sides_[1], sides_[0]);
  } else if (compare_node_) {
    if (swapped_.erase(*compare_node_) == 0) swapped_.insert(*compare_node_);
    ++news_;
    want_comparisons();
  }
}

void Book::end_comparison() {
  if (comparing_) {
    comparing_ = false;
    comparisons_->forget(kOwn);
  } else {
    ended_node_ = compare_node_;
    compare_node_.reset();
  }
  ++news_;
}

bool Book::toggle_comparison() {
  const bool two = sides_[0] != sides_[1];
  if (comparing_ || compare_node_) {
    end_comparison();
  } else if (lesson_ && two && has_side(sides_[0]) && has_side(sides_[1])) {
    show_sides(sides_[0], sides_[1]);
  } else if (!kept_runs().empty()) {
    show_sides({SideKind::kept, kept_runs().size() - 1}, {});
  } else if (ended_node_) {
    show_comparison(*ended_node_);
  } else {
    return false;
  }
  return true;
}

void Book::turn_to_live_run() {
  if (comparing_) {
    const CompareSide live;
    if (sides_[0] != live && sides_[1] != live) choose_side(true, live);
  } else if (compare_node_) {
    end_comparison();
  }
}

// ---- Comparisons: what a directive holds against each other -------------------------------------

void Book::follow_comparison(std::optional<std::size_t> node) {
  if (node != ended_node_) ended_node_.reset();
  const auto shown = ended_node_ ? std::optional<std::size_t>() : node;
  if (shown == compare_node_) return;
  compare_node_ = shown;
  ++news_;
}

void Book::show_comparison(std::size_t node) {
  ended_node_.reset();
  compare_node_ = node;
  ++news_;
}

std::shared_ptr<const lab::Report> Book::variant_run(const lab::CompareDirective::Variant& variant,
                                                     bool& stale) const {
  lab::Inputs wanted = inputs_of(case_of(variant));
  if (!side_) return nullptr;
  if (auto ran = side_->find(wanted)) return ran;
  wanted.gpu = earlier_gpu_;
  auto earlier = side_->find(wanted);
  stale = earlier != nullptr;
  return earlier;
}

std::optional<Compared> Book::comparison_of(std::size_t node) const {
  if (node >= document_.nodes.size()) return std::nullopt;
  const auto* compare = std::get_if<lab::CompareDirective>(&document_.nodes[node]);
  if (!compare || compare->variants.size() != 2) return std::nullopt;
  const Comparisons::Made made = comparisons_->find(place_of(node));
  const std::size_t first = swapped(node) ? 1 : 0;
  const auto& in_a = compare->variants[first];
  const auto& in_b = compare->variants[1 - first];
  Compared compared;
  compared.a = variant_run(in_a, compared.stale_a);
  compared.b = variant_run(in_b, compared.stale_b);
  compared.name_a = lab::plain_text(in_a.label);
  compared.name_b = lab::plain_text(in_b.label);
  compared.stale_relation = compared.stale_a || compared.stale_b;
  const bool of_these = made.pair.a == compared.a && made.pair.b == compared.b;
  if (of_these) compared.relation = made.exhibit;
  return compared;
}

// ---- Comparisons: the runs on both sides, and what they are called ------------------------------

lab::Inputs Book::original_inputs(const lab::Inputs& of) {
  lab::Inputs inputs = of;
  inputs.sources.clear();
  return inputs;
}

lab::Inputs Book::inputs_of(const lab::Report& report) const {
  lab::Inputs inputs = report.inputs;
  std::erase_if(inputs.sources, [&](const auto& slot) {
    const auto place = std::ranges::find(lesson_->slots, slot.first, &lab::SourceSlot::name);
    return place != lesson_->slots.end() && slot.second == original(*place);
  });
  return inputs;
}

std::shared_ptr<const lab::Report> Book::run_of(const CompareSide& side) const {
  if (side.kind == SideKind::live) return report_;
  if (side.kind == SideKind::kept) return kept_runs()[side.kept].report;
  return report_ && original_runs_ ? original_runs_->find(original_inputs(report_->inputs))
                                   : nullptr;
}

std::string Book::value_text(std::string_view parameter, const lab::Value& value) const {
  const auto known = std::ranges::find(lesson_->parameters, parameter, &lab::Parameter::name);
  const bool picture =
      known != lesson_->parameters.end() && known->type == lab::Parameter::Type::picture;
  std::string text = lab::to_text(value);
  if (!picture) return text;
  const std::filesystem::path path(text);
  return path.parent_path() == drawings_folder() ? (*strings_)("gui.pad.yours")
                                                 : path.filename().string();
}

std::string Book::run_name(const lab::Inputs& inputs) const {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const lab::Parameter& parameter : lesson_->parameters) {
    const lab::Value* value = inputs.values.find(parameter.name);
    if (value && *value != parameter.initial)
      settings.emplace_back(parameter.name, value_text(parameter.name, *value));
  }
  std::string name = lab::settings_text(settings);
  for (const auto& [slot, text] : inputs.sources)
    name +=
        (name.empty() ? "" : ", ") + (*strings_)("gui.compare.edited", {{"file", slot + ".cu"}});
  return name.empty() ? (*strings_)("gui.compare.as-opened") : name;
}

const std::string& Book::gpu_of(const CompareSide& side, const lab::Inputs& live) const {
  return side.kind == SideKind::kept ? kept_runs()[side.kept].inputs.gpu : live.gpu;
}

std::string Book::name_of(const CompareSide& side, const lab::Inputs& live) const {
  switch (side.kind) {
    case SideKind::live: return run_name(live);
    case SideKind::kept: return run_name(kept_runs()[side.kept].inputs);
    case SideKind::original: return (*strings_)("gui.compare.original");
  }
  __builtin_unreachable();
}

std::array<std::string, 2> Book::names_of_sides(const lab::Inputs& live) const {
  const auto name = [&](const CompareSide& side) {
    const device::Properties* gpu = device::find_gpu(gpu_of(side, live));
    std::string own = name_of(side, live);
    if (!gpu || gpu_of(sides_[0], live) == gpu_of(sides_[1], live)) return own;
    return (*strings_)("gui.compare.on-gpu", {{"gpu", gpu->name}, {"run", own}});
  };
  return {name(sides_[0]), name(sides_[1])};
}

void Book::want_comparisons() {
  for (std::size_t at = 0; at < document_.nodes.size(); ++at) {
    const auto* compare = std::get_if<lab::CompareDirective>(&document_.nodes[at]);
    if (!compare || compare->variants.size() != 2) continue;
    const std::size_t first = swapped(at) ? 1 : 0;
    const auto& in_a = compare->variants[first];
    const auto& in_b = compare->variants[1 - first];
    const auto a = side_report(case_of(in_a)), b = side_report(case_of(in_b));
    const auto name = [](const lab::CompareDirective::Variant& variant) {
      return lab::Message::plain(lab::plain_text(variant.label));
    };
    if (a && b) comparisons_->want(place_of(at), {a, b, name(in_a), name(in_b), compare->exhibits});
  }
  want_own_comparison();
}

void Book::want_own_comparison() {
  if (!comparing_ || !report_ || !lesson_) return;
  if (std::ranges::find(sides_, SideKind::original, &CompareSide::kind) != sides_.end()) {
    if (!original_runs_) {
      original_runs_ =
          std::make_unique<SideRuns>(*lesson_, options_.compiler, options_.root, options_.wake);
    }
    const lab::Inputs wanted = original_inputs(report_->inputs);
    original_runs_->keep_if([&](const lab::Inputs& one) { return one == wanted; });
    original_runs_->want(wanted);
    if (auto ran = original_runs_->find(wanted)) original_shown_ = std::move(ran);
  }
  const auto a = run_of(sides_[0]), b = run_of(sides_[1]);
  if (!a || !b) return;
  const auto names = names_of_sides(inputs_of(*report_));
  comparisons_->want(kOwn,
                     {a, b, lab::Message::plain(names[0]), lab::Message::plain(names[1]), {}});
}

std::optional<Compared> Book::own_comparison() const {
  if (!comparing_ || !lesson_) return std::nullopt;
  const Comparisons::Made made = comparisons_->find(kOwn);
  const auto names = names_of_sides(inputs_);
  Compared compared;
  for (const bool of_b : {false, true}) {
    const CompareSide& shown = side(of_b);
    auto& run = of_b ? compared.b : compared.a;
    bool& is_stale = of_b ? compared.stale_b : compared.stale_a;
    run = run_of(shown);
    is_stale = shown.kind == SideKind::live && stale();
    if (shown.kind == SideKind::original && !run) {
      run = original_shown_;
      is_stale = true;
    }
    (of_b ? compared.name_b : compared.name_a) = names[of_b ? 1 : 0];
    compared.follows_inputs |= shown.kind != SideKind::kept;
  }
  compared.relation = made.exhibit;
  compared.stale_relation = compared.stale_a || compared.stale_b || made.pair.a != compared.a ||
                            made.pair.b != compared.b;
  return compared;
}

// ---- Exercises ----------------------------------------------------------------------------------

ExerciseAttempt* Book::attempt(std::string_view id) const {
  const auto found = attempts_.find(id);
  return found == attempts_.end() ? nullptr : found->second.get();
}

void Book::write_exercise(const std::string& id, std::string text) {
  if (ExerciseAttempt* written = attempt(id)) written->set_source(std::move(text));
  ++edits_;
}

void Book::reset_exercise(const std::string& id) {
  if (ExerciseAttempt* reset = attempt(id)) reset->reset();
  ++edits_;
}

void Book::show_next_hint(const std::string& id) {
  if (ExerciseAttempt* helped = attempt(id)) helped->show_next_tier();
  ++edits_;
}

// ---- The reader's own program -------------------------------------------------------------------

void Book::open_program_page() {
  if (my_program_.file().empty()) begin_program();
  my_program_.look_for_compiler();
  program_open_ = true;
  link.unpin();  // its line is one of another source
  ++edits_;
}

void Book::close_program_page() {
  if (!std::exchange(program_open_, false)) return;
  link.unpin();
  ++edits_;
}

void Book::open_program(const std::filesystem::path& file) {
  if (const auto opened = my_program_.open(file); !opened) {
    tell(Toast::Kind::bad, (*strings_)(opened.error()));
    return;
  }
  ++news_;
  open_program_page();
}

void Book::begin_program() {
  if (options_.programs.empty()) return;
  std::optional<std::string> from;
  if (lesson_) from = lab::program_of_chapter(options_.root, lesson_->slug);
  for (const ChapterEntry& chapter : chapters_) {
    if (!from) from = lab::program_of_chapter(options_.root, chapter.slug);
  }
  if (!from) return;
  auto text = lab::read_source_file(options_.root, *from);
  const auto begun =
      text ? my_program_.begin(std::filesystem::path(*from).filename().string(), std::move(*text))
           : device::Expected<device::Done>(tl::unexpected(text.error()));
  if (!begun) tell(Toast::Kind::bad, (*strings_)(begun.error()));
  ++news_;
  ++edits_;
}

void Book::write_program(std::string text) {
  my_program_.set_text(std::move(text));
  ++edits_;
}

void Book::set_program_arguments(std::string arguments) {
  my_program_.set_arguments(std::move(arguments));
  ++edits_;
}

void Book::tell_kept(const std::filesystem::path& copy) {
  if (copy.empty()) return;
  const std::string name = copy.filename().string();
  tell(Toast::Kind::plain, (*strings_)("gui.program.kept", {{"file", name}}), 8);
}

void Book::run_program() {
  const auto saved = my_program_.run();
  if (saved)
    tell_kept(*saved);
  else
    tell(Toast::Kind::bad, (*strings_)(saved.error()));
  ++edits_;
}

void Book::follow_program_file() {
  const MyProgram::DiskNews news = my_program_.follow_disk();
  tell_kept(news.kept);
  if (news.trouble) tell(Toast::Kind::bad, (*strings_)(*news.trouble));
  if (!news.text_changed) return;
  tell(Toast::Kind::plain,
       (*strings_)("gui.program.changed-outside", {{"file", my_program_.name()}}));
  ++edits_;
}

// ---- What else is shown, and how ----------------------------------------------------------------

void Book::tell(Toast::Kind kind, std::string text, double seconds) {
  const bool stays = kind == Toast::Kind::bad;
  std::erase_if(toasts_, [&](const Toast& other) { return other.text == text; });
  toasts_.push_back(
      {kind, std::move(text), stays ? std::numeric_limits<double>::infinity() : now() + seconds});
}

void Book::offer(std::string text, std::string action, std::function<void(Book&)> act,
                 double seconds) {
  tell(Toast::Kind::plain, std::move(text), seconds);
  toasts_.back().action = std::move(action);
  toasts_.back().act = std::move(act);
}

double Book::seconds_to_change() const {
  double soonest = std::numeric_limits<double>::infinity();
  for (const Toast& toast : toasts_) soonest = std::min(soonest, toast.until - now());
  return soonest;
}

int Book::choice(const std::string& key) const {
  const auto found = choices_.find(key);
  return found == choices_.end() ? -1 : found->second;
}

void Book::choose(const std::string& key, int what) {
  choices_[key] = what;
  ++choices_made_;
}

std::uint64_t Book::shown_version() const {
  std::uint64_t version = news_;
  for (const std::uint64_t part : {side_runs_done(), document_version_,
                                   std::uint64_t{std::hash<std::string>{}(options_.language)}})
    version = version * 0x9E3779B97F4A7C15ull + part;
  return version;
}

double Book::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace warpbook::gui
