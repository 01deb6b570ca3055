#include "lessons/streams/film.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "lessons/common.hpp"

namespace warpbook::lessons::streams {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kSampledBlocks = 4;
/// Pixels of a chunk that really go through the GPU: a row of its own.
constexpr std::int64_t kSample = 128;

device::Launch launch_for(const std::shared_ptr<const device::Module>& module,
                          device::Argument film, device::Argument clean, std::int64_t width,
                          std::int64_t radius, std::int64_t pixels) {
  return launch_of(module, "", pixels, kThreads,
                   {std::move(film), std::move(clean), number_argument(width),
                    number_argument(radius), number_argument(pixels)});
}

/// For a launch of which the result or the time alone is wanted.
device::Observation nothing() {
  device::Observation observe;
  observe.initcheck = observe.memcheck = observe.racecheck = false;
  observe.trace_accesses = 0;
  return observe;
}

/// A grey row with scratches, other ones in each chunk.
Bytes scratched(std::int64_t chunk) {
  Bytes row;
  for (std::int64_t x = 0; x < kSample; ++x)
    row.push_back(static_cast<std::uint8_t>((x + 3 * chunk) % 29 == 0 ? 250 : 60 + x / 4 + chunk));
  return row;
}

/// When an operation reads or writes memory, as far as one moment can stand for it: a copy to the device has written when it
/// ends, a copy to the host reads when it begins.
double moment_of(const Operation& operation) {
  const auto& [begin, end] = operation.time;
  if (operation.stage == Stage::copy_in) return end;
  return operation.stage == Stage::copy_out ? begin : (begin + end) / 2;
}

/// The buffers of the film on both sides, a sample of each chunk behind the other.
class Film {
 public:
  Film(lab::Lab& lab, const Setting& setting, const std::shared_ptr<const device::Module>& module)
      : lab_(lab), setting_(setting), module_(module) {
    const auto size = static_cast<std::size_t>(setting.chunks * kSample);
    host_.resize(size);
    film_ = lab.allocate("film", device::ElementType::u8, size);
    clean_ = lab.allocate("clean", device::ElementType::u8, size);
    // Another film was in these buffers before: a black one.
    lab.fill(film_, std::byte{0});
    lab.fill(clean_, std::byte{0});
  }

  void perform(const Operation& operation) {
    const std::int64_t at = operation.chunk * kSample;
    if (operation.stage == Stage::copy_in) {
      const Bytes row = scratched(operation.chunk);
      lab::wait_for(lab_.device().copy_in(place(film_, at), std::as_bytes(std::span(row))));
    } else if (operation.stage == Stage::kernel) {
      lab_.launch(launch_of_chunk(film_, clean_, at));
    } else {
      lab::wait_for(lab_.device().copy_out(
          std::as_writable_bytes(std::span(host_).subspan(static_cast<std::size_t>(at), kSample)),
          place(clean_, at)));
    }
  }

  [[nodiscard]] std::vector<bool> compare() {
    const device::Buffer truth = mended();
    const Bytes expected = lab_.download<std::uint8_t>(truth);
    std::vector<bool> right;
    for (std::int64_t k = 0; k < setting_.chunks; ++k) {
      const auto of_chunk = [&](const Bytes& all) {
        return std::span(all).subspan(static_cast<std::size_t>(k * kSample), kSample);
      };
      right.push_back(std::ranges::equal(of_chunk(host_), of_chunk(expected)));
    }
    return right;
  }

 private:
  static device::Pointer place(const device::Buffer& buffer, std::int64_t at) {
    return buffer.address() + static_cast<std::uint64_t>(at);
  }

  [[nodiscard]] device::Launch launch_of_chunk(const device::Buffer& film,
                                               const device::Buffer& clean, std::int64_t at) const {
    return launch_for(module_, device::Argument::pointer(place(film, at)),
                      device::Argument::pointer(place(clean, at)), kSample, setting_.radius,
                      kSample);
  }

  /// What the kernel makes of all chunks, one after the other.
  device::Buffer mended() {
    Bytes rows;
    for (std::int64_t k = 0; k < setting_.chunks; ++k)
      std::ranges::copy(scratched(k), std::back_inserter(rows));
    const device::Buffer film = lab_.upload<std::uint8_t>("film", rows);
    device::Buffer clean = lab_.allocate("clean", device::ElementType::u8, rows.size());
    for (std::int64_t k = 0; k < setting_.chunks; ++k) {
      device::Launch launch = launch_of_chunk(film, clean, k * kSample);
      launch.observe = nothing();  // the same launches have been looked at
      launch.stop = lab_.context().stop;
      (void)lab::require(lab_.device().launch(std::move(launch)).wait());
    }
    return clean;
  }

  lab::Lab& lab_;
  const Setting& setting_;
  const std::shared_ptr<const device::Module>& module_;
  Bytes host_;
  device::Buffer film_, clean_;
};

}  // namespace

device::LaunchTicket SharedLaunches::once(std::int64_t pixels,
                                          const std::function<device::LaunchTicket()>& launch) {
  const std::lock_guard lock(mutex_);
  const auto asked = asked_.find(pixels);
  return asked != asked_.end() ? asked->second : asked_.emplace(pixels, launch()).first->second;
}

void SharedLaunches::leave(std::vector<std::int64_t> pixels) {
  const std::lock_guard lock(mutex_);
  left_ = std::move(pixels);
}

std::vector<std::int64_t> SharedLaunches::left() {
  const std::lock_guard lock(mutex_);
  return left_;
}

KernelTimes::KernelTimes(lab::Lab& lab, const Setting& setting,
                         std::shared_ptr<const device::Module> module, SharedLaunches& launches)
    : lab_(lab), radius_(setting.radius), module_(std::move(module)), launches_(launches) {
  const auto bytes = static_cast<std::uint64_t>(setting.frame * kFrames);
  film_ = lab.allocate("film", device::ElementType::u8, bytes);
  clean_ = lab.allocate("clean", device::ElementType::u8, bytes);
}

device::LaunchTicket KernelTimes::ask(std::int64_t pixels) {
  return launches_.once(pixels, [&] {
    device::Launch launch = launch_for(module_, pointer_argument(film_), pointer_argument(clean_),
                                       kWidth, radius_, pixels);
    launch.observe = nothing();  // nothing has been copied in
    launch.estimate = {true, kSampledBlocks};
    launch.stop = lab_.context().stop;
    return lab_.device().launch(std::move(launch));
  });
}

lab::HostSide::Work KernelTimes::of(std::int64_t pixels) {
  return lab::HostSide::launch_of(*lab::require(ask(pixels).wait()));
}

std::vector<bool> right_chunks(lab::Lab& lab, const Setting& setting,
                               const std::shared_ptr<const device::Module>& module,
                               std::vector<Operation> operations) {
  std::ranges::stable_sort(operations, {}, moment_of);
  Film film(lab, setting, module);
  for (const Operation& operation : operations) film.perform(operation);
  return film.compare();
}

}  // namespace warpbook::lessons::streams
