#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <iterator>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "lab/exhibits/source/source_marks.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/programs_ahead.hpp"
#include "lab/model/global_accesses.hpp"
#include "lab/text/files_read.hpp"
#include "lab/text/host.hpp"
#include "lab/text/source_text.hpp"

namespace warpbook::lab {

using device::Error;
using device::ErrorCode;

struct Lab::State {
  struct Watched {
    std::string id;  // of the source exhibit
    SourceMarks marks;
    std::shared_ptr<const device::Program> program;
    std::vector<std::weak_ptr<const device::Module>> modules;  // loaded from it
    [[nodiscard]] bool made(const std::shared_ptr<const device::Module>& module) const {
      return std::ranges::any_of(modules,
                                 [&](const auto& loaded) { return loaded.lock() == module; });
    }
  };
  std::vector<Exhibit> exhibits;
  std::vector<Error> errors;
  std::vector<Watched> watched;
  std::string output;  // of printf, over all launches
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  double compile_seconds = 0;  // that the experiment waited
  double fraction = 0;         // of it that was done when it last said so
  std::shared_ptr<ProgramsAhead> ahead;
};

namespace {

void check_cancelled(const std::stop_token& stop) {
  if (stop.stop_requested()) throw ExperimentFailed{{ErrorCode::cancelled, {}, {}}, {}};
}

std::string file_of(const SourceSlot& slot) {
  return slot.file.empty() ? slot.name + ".cu" : slot.file;
}

// A budget ends a kernel anywhere; the line to look at is the one that spent the most.
device::SourcePlace busiest_place(const device::LaunchRecord& record) {
  const auto busiest =
      std::max_element(record.lines.begin(), record.lines.end(), [](const auto& a, const auto& b) {
        return a.counters.thread_instructions < b.counters.thread_instructions;
      });
  if (busiest == record.lines.end()) return {};
  return {busiest->file, busiest->line, 0};
}

}  // namespace

void wait_for(const device::CopyTicket& ticket) {
  if (const auto& done = ticket.wait(); !done) throw ExperimentFailed{done.error(), {}};
}

Lab::Lab(Context context) : context_(std::move(context)), state_(std::make_unique<State>()) {}
Lab::~Lab() = default;

std::int64_t Lab::integer(std::string_view parameter) const {
  return context_.inputs->values.integer(parameter);
}
double Lab::real(std::string_view parameter) const {
  return context_.inputs->values.real(parameter);
}
const std::string& Lab::choice(std::string_view parameter) const {
  return context_.inputs->values.choice(parameter);
}
const std::string& Lab::text(std::string_view parameter) const {
  return context_.inputs->values.text(parameter);
}
bool Lab::toggle(std::string_view parameter) const {
  return context_.inputs->values.toggle(parameter);
}

std::optional<Picture> Lab::picture(std::string_view parameter, PictureColours colours,
                                    std::uint64_t most_side) {
  const std::string& file = context_.inputs->values.picture(parameter);
  if (file.empty()) return std::nullopt;
  auto read = read_picture(file, colours, most_side);
  if (read) return std::move(*read);
  state_->errors.push_back(read.error());
  return std::nullopt;
}

Message Lab::device_name() const {
  const device::Properties& gpu = context_.device->properties();
  if (!gpu.simulated) return Message::plain(gpu.name);
  return {"phrase.device.simulated", {{"gpu", gpu.name}}, {}};
}

std::string Lab::source(std::string_view slot) {
  if (const auto edited = context_.inputs->sources.find(std::string(slot));
      edited != context_.inputs->sources.end()) {
    return edited->second;
  }
  return without_rung_block(require(read_source_file(context_.root, slot_named(slot).path)));
}

const SourceSlot& Lab::slot_named(std::string_view slot) const {
  const auto named = std::ranges::find(context_.slots, slot, &SourceSlot::name);
  if (named == context_.slots.end())
    throw std::logic_error("the lesson has no source slot " + std::string(slot));
  return *named;
}

std::shared_ptr<const device::Module> Lab::compile(
    std::string_view slot, std::vector<std::pair<std::string, std::string>> defines) {
  const SourceSlot& named = slot_named(slot);
  SourceExhibit exhibit;
  exhibit.file = file_of(named);
  exhibit.slot = named.name;
  exhibit.text = source(slot);
  const Exhibit empty{named.name, Message::plain(exhibit.file),
                      device::Evidence{device::EvidenceKind::counted, device_name(), {}}, exhibit};
  State::Watched watched{named.name, SourceMarks(exhibit), {}, {}};
  try {
    const Compiled compiled = compile_and_load(request_of_slot(slot, std::move(defines)));
    exhibit.ptx = compiled.program->ptx;
    if (context_.sass) exhibit.sass = device::sass_of(*compiled.program, context_.stop);
    check_cancelled(context_.stop);
    watched.marks = SourceMarks(exhibit);
    watched.marks.add(compiled.program->diagnostics);
    watched.program = compiled.program;
    watched.modules.push_back(compiled.module);
    show({empty.id, empty.title, empty.evidence, watched.marks.exhibit()});
    state_->watched.push_back(std::move(watched));
    return compiled.module;
  } catch (const ExperimentFailed& failed) {
    watched.marks.add(failed.diagnostics);
    show({empty.id, empty.title, empty.evidence, watched.marks.exhibit()});
    throw;
  }
}

std::shared_ptr<const device::Module> Lab::load_again(std::string_view slot) {
  check_cancelled(context_.stop);
  const auto watched = std::ranges::find(state_->watched.rbegin(), state_->watched.rend(), slot,
                                         &State::Watched::id);
  if (watched == state_->watched.rend())
    throw std::logic_error("the source slot " + std::string(slot) + " has not been compiled");
  const auto module = require(context_.device->load(watched->program));
  watched->modules.push_back(module);
  return module;
}

std::shared_ptr<const device::Module> Lab::compile_source(
    const std::string& name, const std::string& source,
    std::vector<std::pair<std::string, std::string>> defines) {
  return compile_and_load(request_of(name, source, std::move(defines))).module;
}

device::CompileRequest Lab::request_of(
    const std::string& name, const std::string& source,
    std::vector<std::pair<std::string, std::string>> defines) const {
  device::CompileRequest request;
  request.name = name;
  request.source = source;
  request.architecture = context_.device->properties().compute_capability;
  request.defines = std::move(defines);
  // For estimates of time, and to be read.
  request.cubin = context_.device->properties().simulated || context_.sass;
  return request;
}

device::CompileRequest Lab::request_of_slot(
    std::string_view slot, std::vector<std::pair<std::string, std::string>> defines) {
  const SourceSlot& named = slot_named(slot);
  device::CompileRequest request = request_of(file_of(named), source(slot), std::move(defines));
  request.foreign = named.foreign;
  return request;
}

ProgramsAhead& Lab::programs() {
  if (!state_->ahead) state_->ahead = std::make_shared<ProgramsAhead>(context_.compiler);
  return *state_->ahead;
}

void Lab::compile_soon(device::CompileRequest request) {
  // A draft waits for few programs, and these are not to wait for those of the parts that it leaves out.
  if (!context_.draft) programs().begin(std::move(request));
}

std::shared_ptr<const device::Program> Lab::program(const device::CompileRequest& request) {
  check_cancelled(context_.stop);
  const auto begun = std::chrono::steady_clock::now();
  auto compiled = programs().program(request, context_.stop);
  state_->compile_seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  if (!compiled) throw ExperimentFailed{compiled.error().error, compiled.error().diagnostics};
  return *compiled;
}

Lab::Compiled Lab::compile_and_load(const device::CompileRequest& request) {
  auto compiled = program(request);
  auto module = context_.device->load(compiled);
  if (!module) throw ExperimentFailed{module.error(), compiled->diagnostics};
  return {std::move(compiled), std::move(*module)};
}

device::Buffer Lab::allocate(std::string name, device::ElementType type, std::uint64_t count) {
  check_cancelled(context_.stop);
  const device::Pointer address = require(context_.device->allocate(name, type, count));
  return {*context_.device, {std::move(name), address, count * device::size_of(type), type}};
}

void Lab::copy_in(const device::Buffer& buffer, std::span<const std::byte> bytes) {
  check_cancelled(context_.stop);
  wait_for(context_.device->copy_in(buffer.address(), bytes));
}

void Lab::fill(const device::Buffer& buffer, std::byte value) {
  check_cancelled(context_.stop);
  wait_for(context_.device->fill(buffer.address(), value, buffer.bytes()));
}

void Lab::copy_out(const device::Buffer& buffer, std::span<std::byte> bytes) {
  check_cancelled(context_.stop);
  wait_for(context_.device->copy_out(bytes, buffer.address()));
}

void Lab::copy_to_symbol(const device::Module& module, std::string_view name,
                         std::span<const std::byte> bytes) {
  check_cancelled(context_.stop);
  const device::AllocationInfo variable = require(context_.device->global(module, name));
  wait_for(context_.device->copy_in(variable.address, bytes));
}

std::shared_ptr<const device::Array> Lab::array(const device::ArrayDescription& description,
                                                std::span<const std::byte> texels) {
  check_cancelled(context_.stop);
  const device::Array made = require(context_.device->create_array(description));
  std::shared_ptr<const device::Array> array(
      new device::Array(made), [device = context_.device](const device::Array* freed) {
        (void)device->destroy(*freed);
        delete freed;
      });
  wait_for(context_.device->copy_in_array(made, texels));
  return array;
}

std::shared_ptr<const device::Texture> Lab::texture(const device::TextureDescription& description) {
  check_cancelled(context_.stop);
  const device::Texture made = require(context_.device->create_texture(description));
  return {new device::Texture(made), [device = context_.device](const device::Texture* texture) {
            (void)device->destroy(*texture);
            delete texture;
          }};
}

TensorExhibit Lab::tensor(const device::Buffer& buffer, std::vector<std::uint64_t> shape) {
  TensorExhibit tensor;
  tensor.name = buffer.name();
  tensor.type = buffer.type();
  tensor.shape = shape.empty() ? std::vector<std::uint64_t>{buffer.count()} : std::move(shape);
  if (lab::count(tensor) != buffer.count())
    throw std::logic_error("the shape of " + buffer.name() + " is not its size");
  tensor.data.resize(buffer.bytes());
  copy_out(buffer, tensor.data);
  return tensor;
}

std::shared_ptr<const device::LaunchRecord> Lab::launch(device::Launch launch, Printing printing,
                                                        Checking checking) {
  check_cancelled(context_.stop);
  const std::shared_ptr<const device::Module> module = launch.module;
  const std::string kernel = launch.kernel;
  launch.stop = context_.stop;
  launch.estimate.wanted = context_.device->properties().simulated;
  if (launch.seed == 0) launch.seed = context_.inputs->seed;
  if (launch.budget.thread_instructions == 0)
    launch.budget.thread_instructions = context_.budget.thread_instructions;
  if (launch.budget.seconds == 0) launch.budget.seconds = context_.budget.seconds;
  // Who asks for leaks judges them, since a later launch may free what this one allocated.
  const bool leaks_are_callers = launch.observe.leaks && !context_.checks.leaks;
  static_cast<device::Checks&>(launch.observe) =
      checking == Checking::whole ? context_.checks : device::kAccessChecks;
  launch.observe.leaks |= leaks_are_callers;
  launch.perturb_approximations = context_.perturb_approximations;
  launch.memo = context_.memo;
  launch.budget.output_bytes = std::min(launch.budget.output_bytes, context_.budget.output_bytes);
  launch.budget.drop_output |= context_.budget.drop_output;
  launch.budget.memory_bytes = std::min(launch.budget.memory_bytes, context_.budget.memory_bytes);

  const std::uint64_t launch_output_bytes = launch.budget.output_bytes;
  const device::LaunchTicket ticket = context_.device->launch(std::move(launch));
  const auto& arrived = ticket.wait();
  if (!arrived) throw ExperimentFailed{arrived.error(), {}};
  std::shared_ptr<const device::LaunchRecord> record = *arrived;
  if (record->error && record->error->code == ErrorCode::cancelled)
    throw ExperimentFailed{*record->error, {}};
  const bool placeless = stopped_by_budget(*record) && record->error->place.line == 0;
  if (record->time.on.empty() || placeless) {
    auto said = std::make_shared<device::LaunchRecord>(*record);
    const device::Properties& gpu = context_.device->properties();
    if (said->time.on.empty())
      said->time.on = Message::plain(gpu.simulated ? cpu_name() : gpu.name);
    if (placeless) said->error->place = busiest_place(*record);
    record = std::move(said);
  }

  const bool left_to_caller =
      leaks_are_callers && record->error && record->error->code == ErrorCode::leaked;
  if (record->error && !left_to_caller) report_error(*record->error);
  for (State::Watched& watched : state_->watched) {
    if (!watched.made(module)) continue;
    watched.marks.add(*record);
    watched.marks.add_executions(*module, kernel, *record);
    for (Exhibit& exhibit : state_->exhibits) {
      if (exhibit.id == watched.id) exhibit.value = watched.marks.exhibit();
    }
  }
  if (!record->output.empty() && printing == Printing::shown)
    show_output(record->output, launch_output_bytes);
  return record;
}

void Lab::show_output(const std::string& printed, std::uint64_t most_bytes) {
  // One launch may print as much as its budget allows; of many, no more is shown than of one.
  if (state_->output.size() < most_bytes) state_->output += printed;
  show({"output",
        {"run.output", {}, {}},
        std::nullopt,
        TextExhibit{Message::plain(state_->output), true}});
}

void Lab::report_error(device::Error error) { state_->errors.push_back(std::move(error)); }

void Lab::show(Exhibit exhibit) {
  // Where nothing counts, what ran was observed on the device itself.
  auto& from = exhibit.evidence;
  if (from && from->kind == device::EvidenceKind::counted &&
      !context_.device->supports(device::Feature::counters))
    from->kind = device::EvidenceKind::measured;
  const auto same = std::find_if(state_->exhibits.begin(), state_->exhibits.end(),
                                 [&](const Exhibit& other) { return other.id == exhibit.id; });
  if (same == state_->exhibits.end()) {
    state_->exhibits.push_back(std::move(exhibit));
  } else {
    *same = std::move(exhibit);
  }
}

void Lab::progress(double fraction, const Message& what) {
  check_cancelled(context_.stop);
  state_->fraction = std::clamp(fraction, 0.0, 1.0);
  if (context_.progress) context_.progress(state_->fraction, what);
}

namespace {

/// How far parts are that run side by side, of what was left to do when they began.
class PartsProgress {
 public:
  PartsProgress(std::size_t parts, double done, std::function<void(double, const Message&)> tell)
      : fractions_(parts), done_(done), tell_(std::move(tell)) {}

  void reached(std::size_t part, double fraction, const Message& what) {
    const std::lock_guard lock(mutex_);
    fractions_[part] = std::max(fractions_[part], fraction);
    const double sum = std::accumulate(fractions_.begin(), fractions_.end(), 0.0);
    if (tell_) tell_(done_ + (1 - done_) * sum / static_cast<double>(fractions_.size()), what);
  }

 private:
  std::mutex mutex_;
  std::vector<double> fractions_;
  const double done_;
  const std::function<void(double, const Message&)> tell_;
};

/// Calls run(i) for every i below `count`, in ascending order, on so many threads; none begins any more once one has thrown, and
/// failed(i) is called. Gives what the calls threw.
std::vector<std::exception_ptr> run_all(std::size_t count, std::size_t threads,
                                        const std::function<void(std::size_t)>& run,
                                        const std::function<void(std::size_t)>& failed) {
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> any_failed = false;
  const auto work = [&] {
    for (std::size_t i = next++; i < count && !any_failed; i = next++) {
      try {
        run(i);
      } catch (...) {
        thrown[i] = std::current_exception();
        any_failed = true;
        failed(i);
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work);
    work();
  }
  return thrown;
}

}  // namespace

std::unique_ptr<Lab> Lab::part(std::stop_token stop,
                               std::function<void(double, const Message&)> progress) {
  const device::Properties& gpu = context_.device->properties();
  auto made = on(gpu.simulated ? device::make_simulated_device(gpu) : context_.device);
  made->context_.stop = std::move(stop);
  made->context_.progress = std::move(progress);
  return made;
}

std::unique_ptr<Lab> Lab::on(std::shared_ptr<device::Device> device) {
  programs();
  Context context = context_;
  context.device = std::move(device);
  auto made = std::make_unique<Lab>(std::move(context));
  made->state_->ahead = state_->ahead;
  return made;
}

void Lab::take_over(Lab& part) {
  State& theirs = *part.state_;
  for (Exhibit& exhibit : theirs.exhibits) {
    if (exhibit.id == "output") {
      show_output(theirs.output, context_.budget.output_bytes);
    } else {
      show(std::move(exhibit));
    }
  }
  std::ranges::move(theirs.errors, std::back_inserter(state_->errors));
}

void Lab::side_by_side(const std::vector<Part>& parts) {
  check_cancelled(context_.stop);
  programs();
  static const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  const bool simulated = context_.device->properties().simulated;
  PartsProgress progress(parts.size(), state_->fraction, context_.progress);
  std::vector<std::unique_ptr<Lab>> labs(parts.size());
  std::vector<std::stop_source> stops(parts.size());
  const auto stop_from = [&stops](std::size_t first) {
    for (std::size_t i = first; i < stops.size(); ++i) stops[i].request_stop();
  };
  const std::stop_callback on_stop(context_.stop, [&] { stop_from(0); });
  FilesRead* const notes = FilesRead::current();
  const auto run = [&](std::size_t i) {
    const FilesRead::Scope scope(notes);
    labs[i] = part(stops[i].get_token(), [&progress, i](double fraction, const Message& what) {
      progress.reached(i, fraction, what);
    });
    parts[i](*labs[i]);
    labs[i]->context_.device.reset();  // its memory goes as soon as it can
    progress.reached(i, 1, {});
  };
  // Those after a part that failed are not asked for any more; those before it are.
  const auto thrown = run_all(parts.size(), simulated ? std::min(processors, parts.size()) : 1, run,
                              [&](std::size_t failed) { stop_from(failed + 1); });
  double waited = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (labs[i]) {
      take_over(*labs[i]);
      waited = std::max(waited, labs[i]->state_->compile_seconds);
    }
    if (thrown[i]) std::rethrow_exception(thrown[i]);
  }
  // They waited at the same time.
  state_->compile_seconds += waited;
}

bool Lab::leaves_out() {
  if (context_.draft) context_.draft->left_out = true;
  return context_.draft != nullptr;
}

void Lab::publish() {
  check_cancelled(context_.stop);
  if (context_.published) context_.published(state_->exhibits);
}

Report Lab::take_report() {
  Report report;
  report.device = device_name();
  report.exhibits = std::move(state_->exhibits);
  report.errors = std::move(state_->errors);
  report.compile_seconds = state_->compile_seconds;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - state_->begun).count();
  report.run_seconds = std::max(0.0, seconds - state_->compile_seconds);
  state_->exhibits.clear();
  state_->errors.clear();
  return report;
}

}  // namespace warpbook::lab
