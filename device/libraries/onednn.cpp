// oneDNN on the CPU: every implementation that it offers for a problem, run and timed. Without its header, which Debian's
// libdnnl-dev brings, Warpbook is built without it and says so.
#include "device/libraries/library.hpp"

#if __has_include(<oneapi/dnnl/dnnl.h>)
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "device/libraries/onednn_task.hpp"

namespace warpbook::device::libraries {
namespace {

static_assert(DNNL_VERSION_MAJOR == 2, "the functions and structures are those of oneDNN 2");

using Engine = OneDnnHandle<dnnl_engine_t, &OneDnnApi::engine_destroy>;
using Stream = OneDnnHandle<dnnl_stream_t, &OneDnnApi::stream_destroy>;
using Attributes = OneDnnHandle<dnnl_primitive_attr_t, &OneDnnApi::primitive_attr_destroy>;
using Iterator =
    OneDnnHandle<dnnl_primitive_desc_iterator_t, &OneDnnApi::primitive_desc_iterator_destroy>;

/// One implementation: oneDNN's choice of layouts and code, and the forward one that a gradient belongs to.
struct Implementation {
  OneDnnChoice choice;
  std::shared_ptr<OneDnnChoice> forward;
  Algorithm algorithm;
};

/// An implementation with its data in place, ready to run again and again.
struct Prepared {
  OneDnnPrimitive primitive;
  std::vector<OneDnnMemory> memories;
  std::vector<dnnl_exec_arg_t> arguments;
  std::size_t output = 0;  ///< of memories
};

// "AMD EPYC 9454, 2 threads": the machine that a time was measured on.
std::string name_of_cpu() {
  std::ifstream info("/proc/cpuinfo");
  std::string name = "this CPU";
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    name = line.substr(std::min(line.size(), line.find(':') + 2));
    break;
  }
  return fmt::format("{}, {} threads", name, std::max(1u, std::thread::hardware_concurrency()));
}

class OneDnn final : public Library {
 public:
  static Expected<std::unique_ptr<Library>> open(const std::string& file);

  Expected<Identity> identity() override { return identity_; }
  Expected<Offer> offer(const Problem& problem, const Target& target) override;
  Expected<std::vector<float>> run(const Problem& problem, std::uint32_t algorithm,
                                   const std::vector<std::vector<float>>& inputs) override;
  Expected<std::vector<Timing>> time(const Problem& problem,
                                     const std::vector<std::uint32_t>& algorithms,
                                     const TimeLimits& limits) override;

 private:
  Expected<void> start();
  Expected<void> list(const Problem& problem, OneDnnFreedom freedom);
  Expected<void> take(const Problem& problem, OneDnnFreedom freedom,
                      const std::shared_ptr<OneDnnChoice>& forward, OneDnnChoice choice);
  Expected<const Implementation*> implementation(const Problem& problem, std::uint32_t index);
  [[nodiscard]] const dnnl_memory_desc_t& tensor(const OneDnnChoice& choice, dnnl_query_t what,
                                                 int index) const {
    return *api_.primitive_desc_query_md(choice.get(), what, index);
  }
  Expected<OneDnnMemory> memory(const dnnl_memory_desc_t& tensor);
  Expected<void> reorder(const OneDnnMemory& from, const dnnl_memory_desc_t& from_tensor,
                         const OneDnnMemory& to, const dnnl_memory_desc_t& to_tensor);
  Expected<void> execute(const OneDnnPrimitive& primitive,
                         const std::vector<dnnl_exec_arg_t>& arguments);
  Expected<OneDnnMemory> fill(const Problem& problem, const Shape& shape, int argument,
                              const dnnl_memory_desc_t& tensor, const std::vector<float>& numbers);
  Expected<Prepared> prepare(const Problem& problem, const Implementation& chosen,
                             const std::vector<std::vector<float>>& inputs);
  Expected<void> remember(const Problem& problem, const Implementation& chosen,
                          const std::vector<float>& x, Prepared& prepared);

  OneDnnApi api_;
  Identity identity_;
  Engine engine_;
  Stream stream_;
  Attributes attributes_;
  Problem listed_;
  bool has_list_ = false;
  std::vector<Implementation> implementations_;
};

Expected<std::unique_ptr<Library>> OneDnn::open(const std::string& file) {
  const auto damaged = [&](std::string detail) {
    return failure(ErrorCode::library_damaged,
                   {{"library", std::string(name_of(Kind::onednn))},
                    {"detail", std::move(detail)},
                    {"command", std::string(command_for(Kind::onednn))}});
  };
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* text = ::dlerror();
    return damaged(text != nullptr ? text : file);
  }
  auto made = std::make_unique<OneDnn>();
  made->api_.version = reinterpret_cast<decltype(&dnnl_version)>(::dlsym(library, "dnnl_version"));
  if (made->api_.version == nullptr) return damaged(file + " has no dnnl_version");
  const dnnl_version_t* const version = made->api_.version();
  made->identity_ = {fmt::format("{}.{}.{}", version->major, version->minor, version->patch), file,
                     ""};
  if (version->major != DNNL_VERSION_MAJOR) {
    return failure(ErrorCode::library_version,
                   {{"library", "oneDNN"},
                    {"file", file},
                    {"found", made->identity_.version},
                    {"needed", std::to_string(DNNL_VERSION_MAJOR)},
                    {"command", std::string(command_for(Kind::onednn))}});
  }
#define WARPBOOK_ONEDNN(name)                                                                  \
  made->api_.name = reinterpret_cast<decltype(&dnnl_##name)>(::dlsym(library, "dnnl_" #name)); \
  if (made->api_.name == nullptr) return damaged(file + " has no dnnl_" #name);
#include "device/libraries/onednn_api.inc"
#undef WARPBOOK_ONEDNN
  if (auto started = made->start(); !started) return tl::unexpected(started.error());
  return made;
}

Expected<void> OneDnn::start() {
  engine_ = Engine(api_);
  stream_ = Stream(api_);
  attributes_ = Attributes(api_);
  auto status = api_.engine_create(engine_.out(), dnnl_cpu, 0);
  if (status == dnnl_success)
    status = api_.stream_create(stream_.out(), engine_.get(), dnnl_stream_default_flags);
  if (status == dnnl_success) status = api_.primitive_attr_create(attributes_.out());
  // Ours to allocate: so its size is known and shown.
  if (status == dnnl_success)
    status = api_.primitive_attr_set_scratchpad_mode(attributes_.get(), dnnl_scratchpad_mode_user);
  if (status != dnnl_success)
    return onednn_refused(api_, status, Message{"phrase.why.no-start", {}, {}});
  return {};
}

Expected<Offer> OneDnn::offer(const Problem& problem, const Target&) {
  if (auto good = check(problem); !good) return tl::unexpected(good.error());
  if (!has_list_ || listed_ != problem) {
    implementations_.clear();
    has_list_ = false;
    if (problem.precision == Precision::tf32) {
      return failure(ErrorCode::library_refused,
                     {{"library", "oneDNN"},
                      {"why", Message{"phrase.why.not-a-tf32", {}, {}}},
                      {"words", Message{"phrase.words.not-asked", {}, {}}}});
    }
    auto listed = list(problem, OneDnnFreedom::filters);
    const bool may_choose =
        problem.kind == ProblemKind::convolution || problem.kind == ProblemKind::matmul;
    if (may_choose) {
      // Each has implementations that the other has not: it is enough that one of the two can be had.
      auto also = list(problem, OneDnnFreedom::all);
      if (!listed) listed = std::move(also);
    }
    if (implementations_.empty() && !listed) return tl::unexpected(listed.error());
    listed_ = problem;
    has_list_ = true;
  }
  Offer offer;
  for (const Implementation& each : implementations_) offer.algorithms.push_back(each.algorithm);
  return offer;
}

Expected<void> OneDnn::list(const Problem& problem, OneDnnFreedom freedom) {
  const auto task = onednn_task(api_, problem, freedom);
  if (!task) return tl::unexpected(task.error());
  const Message none{"phrase.why.no-implementation", {}, {}};
  std::shared_ptr<OneDnnChoice> forward;
  if (task->has_forward) {
    forward = std::make_shared<OneDnnChoice>(api_);
    const auto status = api_.primitive_desc_create(forward->out(), &task->forward,
                                                   attributes_.get(), engine_.get(), nullptr);
    if (status != dnnl_success) return onednn_refused(api_, status, none);
  }
  Iterator iterator(api_);
  auto status =
      api_.primitive_desc_iterator_create(iterator.out(), &task->descriptor, attributes_.get(),
                                          engine_.get(), forward ? forward->get() : nullptr);
  if (status != dnnl_success) return onednn_refused(api_, status, none);
  for (; status == dnnl_success; status = api_.primitive_desc_iterator_next(iterator.get())) {
    OneDnnChoice choice(api_);
    *choice.out() = api_.primitive_desc_iterator_fetch(iterator.get());
    if (choice.get() == nullptr) break;
    if (auto taken = take(problem, freedom, forward, std::move(choice)); !taken) return taken;
  }
  return {};
}

Expected<void> OneDnn::take(const Problem& problem, OneDnnFreedom freedom,
                            const std::shared_ptr<OneDnnChoice>& forward, OneDnnChoice choice) {
  Implementation made;
  const char* name = nullptr;
  const auto status = api_.primitive_desc_query(choice.get(), dnnl_query_impl_info_str, 0,
                                                reinterpret_cast<void*>(&name));
  if (status != dnnl_success)
    return onednn_refused(api_, status, Message{"phrase.why.no-offer", {}, {}});
  made.algorithm.name = name;
  made.algorithm.workspace =
      api_.memory_desc_get_size(&tensor(choice, dnnl_query_scratchpad_md, 0));
  const Tensors tensors = tensors_of(problem);
  const std::vector<int> arguments = onednn_arguments(problem);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == 0) continue;
    const Tensor& own = i < tensors.inputs.size() ? tensors.inputs[i] : tensors.output;
    made.algorithm.settings +=
        fmt::format("{}{} {}", made.algorithm.settings.empty() ? "" : ", ", own.name,
                    layout_name(tensor(choice, dnnl_query_exec_arg_md, arguments[i])));
  }
  if (freedom == OneDnnFreedom::all) made.algorithm.notes.emplace_back("ANY_LAYOUT");
  const bool known = std::ranges::any_of(implementations_, [&](const Implementation& other) {
    return other.algorithm.name == made.algorithm.name &&
           other.algorithm.settings == made.algorithm.settings;
  });
  made.choice = std::move(choice);
  made.forward = forward;
  if (!known) implementations_.push_back(std::move(made));
  return {};
}

Expected<const Implementation*> OneDnn::implementation(const Problem& problem,
                                                       std::uint32_t index) {
  if (auto offered = offer(problem, {}); !offered) return tl::unexpected(offered.error());
  if (index >= implementations_.size()) {
    return failure(ErrorCode::bad_problem, {{"what", Message{"phrase.what.the-algorithm", {}, {}}},
                                            {"value", std::to_string(index)},
                                            {"why", Message{"phrase.why.no-algorithm", {}, {}}}});
  }
  return &implementations_[index];
}

Expected<OneDnnMemory> OneDnn::memory(const dnnl_memory_desc_t& tensor) {
  OneDnnMemory made(api_);
  const auto status = api_.memory_create(made.out(), &tensor, engine_.get(), DNNL_MEMORY_ALLOCATE);
  if (status != dnnl_success)
    return onednn_refused(api_, status, Message{"phrase.why.no-memory", {}, {}});
  return made;
}

Expected<void> OneDnn::execute(const OneDnnPrimitive& primitive,
                               const std::vector<dnnl_exec_arg_t>& arguments) {
  auto status = api_.primitive_execute(primitive.get(), stream_.get(),
                                       static_cast<int>(arguments.size()), arguments.data());
  if (status == dnnl_success) status = api_.stream_wait(stream_.get());
  if (status != dnnl_success)
    return onednn_refused(api_, status, Message{"phrase.why.fails", {}, {}});
  return {};
}

Expected<void> OneDnn::reorder(const OneDnnMemory& from, const dnnl_memory_desc_t& from_tensor,
                               const OneDnnMemory& to, const dnnl_memory_desc_t& to_tensor) {
  OneDnnChoice choice(api_);
  OneDnnPrimitive primitive(api_);
  auto status = api_.reorder_primitive_desc_create(choice.out(), &from_tensor, engine_.get(),
                                                   &to_tensor, engine_.get(), nullptr);
  if (status == dnnl_success) status = api_.primitive_create(primitive.out(), choice.get());
  if (status != dnnl_success)
    return onednn_refused(api_, status, Message{"phrase.why.layout", {}, {}});
  return execute(primitive, {{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}});
}

// Numbers in our order become a tensor in the layout and type of an implementation.
Expected<OneDnnMemory> OneDnn::fill(const Problem& problem, const Shape& shape, int argument,
                                    const dnnl_memory_desc_t& tensor,
                                    const std::vector<float>& numbers) {
  const auto plain = onednn_plain(api_, problem, shape, argument);
  if (!plain) return tl::unexpected(plain.error());
  auto own = memory(*plain);
  if (!own) return own;
  void* data = nullptr;
  api_.memory_get_data_handle(own->get(), &data);
  std::memcpy(data, numbers.data(), numbers.size() * sizeof(float));
  if (api_.memory_desc_equal(&*plain, &tensor) != 0) return own;
  auto theirs = memory(tensor);
  if (!theirs) return theirs;
  if (auto done = reorder(*own, *plain, *theirs, tensor); !done)
    return tl::unexpected(done.error());
  return theirs;
}

// The gradient of a maximum goes to where the maximum was: the forward pass writes that down.
Expected<void> OneDnn::remember(const Problem& problem, const Implementation& chosen,
                                const std::vector<float>& x, Prepared& prepared) {
  const dnnl_memory_desc_t& note = tensor(chosen.choice, dnnl_query_workspace_md, 0);
  if (note.ndims == 0) return {};
  const OneDnnChoice& forward = *chosen.forward;
  auto source =
      fill(problem, problem.image, DNNL_ARG_SRC, tensor(forward, dnnl_query_src_md, 0), x);
  if (!source) return tl::unexpected(source.error());
  auto result = memory(tensor(forward, dnnl_query_dst_md, 0));
  if (!result) return tl::unexpected(result.error());
  auto written = memory(note);
  if (!written) return tl::unexpected(written.error());
  auto scratch = memory(tensor(forward, dnnl_query_scratchpad_md, 0));
  if (!scratch) return tl::unexpected(scratch.error());
  OneDnnPrimitive primitive(api_);
  const auto status = api_.primitive_create(primitive.out(), forward.get());
  if (status != dnnl_success)
    return onednn_refused(api_, status, Message{"phrase.why.forward", {}, {}});
  if (auto ran = execute(primitive, {{DNNL_ARG_SRC, source->get()},
                                     {DNNL_ARG_DST, result->get()},
                                     {DNNL_ARG_WORKSPACE, written->get()},
                                     {DNNL_ARG_SCRATCHPAD, scratch->get()}});
      !ran) {
    return ran;
  }
  prepared.arguments.push_back({DNNL_ARG_WORKSPACE, written->get()});
  prepared.memories.push_back(std::move(*written));
  return {};
}

Expected<Prepared> OneDnn::prepare(const Problem& problem, const Implementation& chosen,
                                   const std::vector<std::vector<float>>& inputs) {
  Prepared prepared;
  prepared.primitive = OneDnnPrimitive(api_);
  const auto status = api_.primitive_create(prepared.primitive.out(), chosen.choice.get());
  if (status != dnnl_success)
    return onednn_refused(api_, status, Message{"phrase.why.ready", {}, {}});
  const Tensors tensors = tensors_of(problem);
  const std::vector<int> arguments = onednn_arguments(problem);
  const auto hold = [&](int argument, OneDnnMemory memory) {
    prepared.arguments.push_back({argument, memory.get()});
    prepared.memories.push_back(std::move(memory));
  };
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
    if (arguments[i] == 0) continue;
    auto filled = fill(problem, tensors.inputs[i].shape, arguments[i],
                       tensor(chosen.choice, dnnl_query_exec_arg_md, arguments[i]), inputs[i]);
    if (!filled) return tl::unexpected(filled.error());
    hold(arguments[i], std::move(*filled));
  }
  auto scratch = memory(tensor(chosen.choice, dnnl_query_scratchpad_md, 0));
  if (!scratch) return tl::unexpected(scratch.error());
  hold(DNNL_ARG_SCRATCHPAD, std::move(*scratch));
  if (problem.kind == ProblemKind::pooling && problem.pass == Pass::data) {
    if (auto noted = remember(problem, chosen, inputs[0], prepared); !noted)
      return tl::unexpected(noted.error());
  }
  auto output = memory(tensor(chosen.choice, dnnl_query_exec_arg_md, arguments.back()));
  if (!output) return tl::unexpected(output.error());
  prepared.output = prepared.memories.size();
  hold(arguments.back(), std::move(*output));
  return prepared;
}

Expected<std::vector<float>> OneDnn::run(const Problem& problem, std::uint32_t algorithm,
                                         const std::vector<std::vector<float>>& inputs) {
  const auto chosen = implementation(problem, algorithm);
  if (!chosen) return tl::unexpected(chosen.error());
  auto prepared = prepare(problem, **chosen, inputs);
  if (!prepared) return tl::unexpected(prepared.error());
  if (auto ran = execute(prepared->primitive, prepared->arguments); !ran)
    return tl::unexpected(ran.error());
  const Shape shape = tensors_of(problem).output.shape;
  const int argument = onednn_arguments(problem).back();
  const auto plain = onednn_plain(api_, problem, shape, argument);
  if (!plain) return tl::unexpected(plain.error());
  auto own = memory(*plain);
  if (!own) return tl::unexpected(own.error());
  if (auto done =
          reorder(prepared->memories[prepared->output],
                  tensor((*chosen)->choice, dnnl_query_exec_arg_md, argument), *own, *plain);
      !done) {
    return tl::unexpected(done.error());
  }
  void* data = nullptr;
  api_.memory_get_data_handle(own->get(), &data);
  std::vector<float> result(static_cast<std::size_t>(shape.count()));
  std::memcpy(result.data(), data, result.size() * sizeof(float));
  return result;
}

/// Half of the machine's memory is enough for a time: beyond that it swaps, or is killed.
Expected<void> check_memory(const Problem& problem, std::size_t algorithms) {
  const Tensors tensors = tensors_of(problem);
  std::int64_t elements = tensors.output.shape.count();
  for (const Tensor& input : tensors.inputs) elements += input.shape.count();
  // The numbers, once more in the plain layout, and in that of each algorithm.
  const double needed =
      static_cast<double>(elements) * sizeof(float) * static_cast<double>(2 + algorithms);
  const double there =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (needed <= there / 2) return {};
  constexpr double kGiB = 1u << 30;
  return failure(ErrorCode::library_refused,
                 {{"library", "oneDNN"},
                  {"why", Message{"phrase.why.half-memory",
                                  {{"needed", fmt::format("{:.0f}", needed / kGiB)},
                                   {"there", fmt::format("{:.0f}", there / kGiB)}},
                                  {}}},
                  {"words", Message{"phrase.words.not-asked", {}, {}}}});
}

Expected<std::vector<Timing>> OneDnn::time(const Problem& problem,
                                           const std::vector<std::uint32_t>& algorithms,
                                           const TimeLimits& limits) {
  using Clock = std::chrono::steady_clock;
  if (auto fits = check_memory(problem, algorithms.size()); !fits)
    return tl::unexpected(fits.error());
  std::vector<std::vector<float>> inputs;
  for (const Tensor& input : tensors_of(problem).inputs)
    inputs.push_back(some_numbers(input.shape.count()));
  std::vector<Prepared> prepared;
  for (const std::uint32_t algorithm : algorithms) {
    const auto chosen = implementation(problem, algorithm);
    if (!chosen) return tl::unexpected(chosen.error());
    auto ready = prepare(problem, **chosen, inputs);
    if (!ready) return tl::unexpected(ready.error());
    prepared.push_back(std::move(*ready));
  }
  std::vector<Sample> samples;
  for (const Prepared& each : prepared) {
    samples.emplace_back([this, &each]() -> Expected<double> {
      const auto start = Clock::now();
      for (int runs = 1;; ++runs) {
        if (auto ran = execute(each.primitive, each.arguments); !ran)
          return tl::unexpected(ran.error());
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (seconds >= kShortestSample) return seconds / runs;
      }
    });
  }
  auto timings = measure(samples, limits);
  if (!timings) return timings;
  const std::string on = name_of_cpu();
  for (Timing& timing : *timings) {
    timing.hot = true;
    timing.on = on;
  }
  return timings;
}

}  // namespace

tl::unexpected<Error> onednn_refused(const OneDnnApi& api, dnnl_status_t status, Message why) {
  return failure(
      ErrorCode::library_refused,
      {{"library", "oneDNN"}, {"why", std::move(why)}, {"words", api.status2str(status)}});
}

std::string layout_name(const dnnl_memory_desc_t& tensor) {
  if (tensor.format_kind != dnnl_blocked) return "of its own";
  const dnnl_blocking_desc_t& blocking = tensor.format_desc.blocking;
  std::vector<int> order;
  for (int d = 0; d < tensor.ndims; ++d) order.push_back(d);
  std::ranges::stable_sort(order,
                           [&](int a, int b) { return blocking.strides[a] > blocking.strides[b]; });
  std::string name;
  for (const int d : order) {
    const bool blocked = std::find(blocking.inner_idxs, blocking.inner_idxs + blocking.inner_nblks,
                                   d) != blocking.inner_idxs + blocking.inner_nblks;
    name += static_cast<char>((blocked ? 'A' : 'a') + d);
  }
  for (int i = 0; i < blocking.inner_nblks; ++i)
    name += fmt::format("{}{}", blocking.inner_blks[i],
                        static_cast<char>('a' + blocking.inner_idxs[i]));
  return name;
}

Expected<std::unique_ptr<Library>> open_onednn(const std::string& file) {
  return OneDnn::open(file);
}

}  // namespace warpbook::device::libraries

#else

namespace warpbook::device::libraries {

Expected<std::unique_ptr<Library>> open_onednn(const std::string&) {
  return failure(ErrorCode::library_missing,
                 {{"library", "oneDNN"},
                  {"detail", "Warpbook was built without its header, dnnl.h"},
                  {"command", std::string(command_for(Kind::onednn)) + " && ./warpbook"}});
}

}  // namespace warpbook::device::libraries
#endif
