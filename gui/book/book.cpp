#include "gui/book/book.hpp"

#include <algorithm>
#include <limits>

#include "lab/text/source_text.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::gui {
namespace {
std::string original_text(const std::string& root, const std::string& path) {
  const auto text = lab::read_source_file(root, path);
  return text ? lab::without_rung_block(*text) : std::string();
}
}  // namespace

Book::Book(Options options) : options_(std::move(options)) {
  auto strings = lab::Strings::load(options_.language, options_.root);
  if (strings) {
    strings_ = std::move(*strings);
  } else {
    strings_ = std::make_shared<const lab::Strings>();
    document_error_ = strings.error();
  }
  read_chapters();
}

Book::~Book() = default;

double Book::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Book::read_chapters() {
  chapters_.clear();
  glossary_ = {};
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    const auto document = lab::load_document(options_.root, lesson.slug, options_.language);
    chapters_.push_back({lesson.slug, document ? document->title : lesson.slug});
    if (document) glossary_.add(lesson.slug, *document);
  }
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
  originals_.clear();
  report_.reset();
  ++news_;
  generation_ = 0;
  active_exercise_.clear();
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

std::uint64_t Book::shown_version() const {
  std::uint64_t version = news_;
  for (const std::uint64_t part :
       {side_runs_done(), document_version_, static_cast<std::uint64_t>(options_.language)})
    version = version * 0x9E3779B97F4A7C15ull + part;
  return version;
}

int Book::choice(const std::string& key) const {
  const auto found = choices_.find(key);
  return found == choices_.end() ? -1 : found->second;
}

void Book::choose(const std::string& key, int what) {
  choices_[key] = what;
  ++choices_made_;
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
  // The inputs are what they were, but no longer mean the same: everything runs anew.
  original_runs_.reset();
  original_shown_.reset();
  side_ = std::make_unique<SideRuns>(*lesson_, options_.compiler, options_.root, options_.wake);
  changed({});
}

void Book::want_side_runs() {
  for (const lab::DocumentNode& node : document_.nodes) {
    if (const auto* predict = std::get_if<lab::PredictDirective>(&node)) {
      side_->want(inputs_of(case_of(*predict)));
    } else if (const auto* compare = std::get_if<lab::CompareDirective>(&node)) {
      for (const auto& variant : compare->variants) side_->want(inputs_of(case_of(variant)));
    }
  }
  want_comparisons();
}

bool Book::poll() {
  bool news = false;
  if (experiment_ && experiment_->generation() != generation_) {
    generation_ = experiment_->generation();
    report_ = experiment_->latest();
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
  for (auto& [id, attempt] : attempts_) {
    if (!attempt->poll()) continue;
    news = true;
    ++edits_;
    if (const auto result = attempt->result();
        result->graded && result->passed && !attempt->stale()) {
      tell({Toast::Kind::ok, (*strings_)("gui.exercise.passed"), {}, {}, now() + 4});
    }
  }
  news_ += news ? 1 : 0;
  return news;
}

void Book::settle() {
  if (experiment_) experiment_->settle();
  if (side_) side_->settle();
  poll();
  if (original_runs_) original_runs_->settle();
  poll();
  if (comparisons_) comparisons_->settle();
  poll();
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
  // What is of an earlier version is not run behind the reader's back.
  const bool has = report_ && std::ranges::any_of(report_->exhibits, has_it);
  if (wanted && !has && !stale()) request({});
}

void Book::set_language(lab::Language language) {
  if (language == options_.language) return;
  options_.language = language;
  ++edits_;
  reload();
}

void Book::request(std::chrono::milliseconds delay) {
  if (experiment_) experiment_->request(inputs_, delay);
}

void Book::changed(std::chrono::milliseconds delay) {
  ++edits_;
  if (inputs_.gpu != followed_gpu_) follow_gpu();
  const auto completed = lab::completed(*lesson_, inputs_, options_.root);
  inputs_hash_ = completed ? lab::hash_of(*completed) : 0;
  if (live_) request(delay);
}

const device::Properties& Book::gpu() const {
  const device::Properties* row = device::find_gpu(inputs_.gpu);
  return row ? *row : *device::find_gpu(lab::Inputs{}.gpu);
}

void Book::set_gpu(std::string_view name) {
  const device::Properties* row = device::find_gpu(name);
  if (!row || row == &gpu()) return;
  // As it is called where nobody chose: the same run has the same hash.
  const std::string usual = lab::Inputs{}.gpu;
  inputs_.gpu = row == device::find_gpu(usual) ? usual : row->name;
  if (lesson_) changed({});
}

void Book::follow_gpu() {
  earlier_gpu_ = std::exchange(followed_gpu_, inputs_.gpu);
  for (auto& [id, attempt] : attempts_) attempt->set_gpu(inputs_.gpu);
  side_->keep_if(
      [&](const lab::Inputs& one) { return one.gpu == followed_gpu_ || one.gpu == earlier_gpu_; });
  ++news_;
  want_side_runs();
}

void Book::set_inputs(lab::Inputs inputs, std::chrono::milliseconds delay) {
  inputs_ = std::move(inputs);
  changed(delay);
}

device::Expected<device::Done> Book::type_value(std::string_view name, std::string_view text) {
  lab::Values values = inputs_.values;
  auto done = lab::assign(lesson_->parameters, values, std::string(name) + "=" + std::string(text));
  if (!done) return tl::unexpected(done.error());
  inputs_.values = std::move(values);
  changed(kValueDelay);
  return done;
}

void Book::set_value(const std::string& name, lab::Value value) {
  inputs_.values.set(name, std::move(value));
  changed(kValueDelay);
}

void Book::drop_file(const std::string& path) {
  const auto complain = [&](std::string text) {
    tell({Toast::Kind::bad, std::move(text), {}, {}, now() + 6});
  };
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
  const std::pair<std::string, std::string> file{"file", inputs_.values.picture(parameter.name)};
  const auto found = std::ranges::find_if(report_->errors, [&](const device::Error& error) {
    return error.code == device::ErrorCode::file_unreadable &&
           std::ranges::find(error.arguments, file) != error.arguments.end();
  });
  return found == report_->errors.end() ? nullptr : &*found;
}

void Book::choose_preset(const lab::Preset& preset) {
  for (const lab::Parameter& parameter : lesson_->parameters) {
    const lab::Value* value = preset.values.find(parameter.name);
    if (value)
      inputs_.values.set(parameter.name, *value);
    else if (parameter.type != lab::Parameter::Type::picture)
      inputs_.values.set(parameter.name, parameter.initial);
  }
  changed({});
}

lab::Inputs Book::inputs_of(const Case& wanted) const {
  lab::Inputs inputs = inputs_;
  inputs.sources.clear();
  inputs.values = lab::defaults(lesson_->parameters);
  for (const auto& [name, text] : wanted.values) {
    // A value out of range is the document's error, which validate() names; the default stands in
    // its place.
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
  if (wanted.source.empty()) inputs.sources = inputs_.sources;  // what the reader wrote stays
  active_exercise_.clear();
  turn_to_live_run();
  set_inputs(std::move(inputs));
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

void Book::reset_values() {
  inputs_.values = lab::defaults(lesson_->parameters);
  changed({});
}

void Book::set_live(bool live) {
  live_ = live;
  ++edits_;
  if (live_ && stale()) request({});
}

void Book::run_now() {
  if (ExerciseAttempt* attempt = active_attempt()) {
    attempt->check();
  } else {
    request({});
  }
}

void Book::cancel() {
  if (experiment_) experiment_->cancel();
  if (ExerciseAttempt* attempt = active_attempt()) attempt->cancel();
}

lab::Experiment::Progress Book::progress() const {
  return experiment_ ? experiment_->progress() : lab::Experiment::Progress{};
}

bool Book::stale() const { return report_ && report_->inputs_hash != inputs_hash_; }

ExerciseAttempt* Book::attempt(std::string_view id) const {
  const auto found = attempts_.find(id);
  return found == attempts_.end() ? nullptr : found->second.get();
}

void Book::write_exercise(const std::string& id, std::string text) {
  if (ExerciseAttempt* written = attempt(id)) written->set_source(std::move(text));
  ++edits_;
}

void Book::tell(Toast toast) {
  if (toast.kind == Toast::Kind::bad) toast.until = std::numeric_limits<double>::infinity();
  std::erase_if(toasts_, [&](const Toast& other) { return other.text == toast.text; });
  toasts_.push_back(std::move(toast));
}

}  // namespace warpbook::gui
