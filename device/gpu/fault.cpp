#include "device/gpu/fault.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>

namespace warpbook::device::gpu {
namespace {

/// For statuses without an error code of their own: cuda.h's description, shortened.
Message meaning_of(cuda::Status status) {
  switch (status) {
    case cuda::kHardwareStackError: return Message{"phrase.meaning.stack", {}, {}};
    case cuda::kIllegalInstruction: return Message{"phrase.meaning.instruction", {}, {}};
    case cuda::kInvalidAddressSpace: return Message{"phrase.meaning.address-space", {}, {}};
    case cuda::kInvalidPc: return Message{"phrase.meaning.jump", {}, {}};
    case cuda::kTensorMemoryLeak: return Message{"phrase.meaning.tensor-memory", {}, {}};
    default: return Message{"phrase.meaning.stopped", {}, {}};
  }
}

/// "[3,0,1]" after `at`, which moves behind it.
std::optional<Dim3> index_at(std::string_view text, std::size_t& at) {
  at = text.find('[', at);
  if (at == text.npos) return std::nullopt;
  std::array<std::uint32_t, 3> values{};
  const char* next = text.data() + at + 1;
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto [after, error] = std::from_chars(next, end, values[i]);
    const char wanted = i + 1 == values.size() ? ']' : ',';
    if (error != std::errc{} || after == end || *after != wanted) return std::nullopt;
    next = after + 1;
  }
  at = static_cast<std::size_t>(next - text.data());
  return Dim3{values[0], values[1], values[2]};
}

std::uint64_t flatten(const Dim3& index, const Dim3& extent) {
  return index.x + std::uint64_t{extent.x} * (index.y + std::uint64_t{extent.y} * index.z);
}

/// "file:12: function: block: [0,0,0], thread: [3,0,0] Assertion `x < 4` failed."
std::optional<Error> assertion_in_line(std::string_view line, const FaultedLaunch& launch) {
  constexpr std::string_view kBlock = ": block: ", kAssertion = "Assertion `", kEnd = "` failed";
  const std::size_t block_at = line.find(kBlock);
  const std::size_t text_at = line.find(kAssertion);
  const std::size_t text_end = line.rfind(kEnd);
  if (block_at == line.npos || text_at == line.npos || text_end == line.npos) return std::nullopt;
  std::size_t at = block_at;
  const auto block = index_at(line, at);
  const auto thread = block ? index_at(line, at) : std::nullopt;
  const std::size_t text_begin = text_at + kAssertion.size();
  if (!thread || text_end < text_begin) return std::nullopt;

  Error error = error_of(ErrorCode::assertion,
                         {{"text", std::string(line.substr(text_begin, text_end - text_begin))},
                          {"function", ""},
                          {"thread", std::to_string(flatten(*thread, launch.block))},
                          {"block", std::to_string(flatten(*block, launch.grid))}});
  // Files have colons as well as functions do: the line number is the first between two of them.
  const std::string_view place = line.substr(0, block_at);
  for (std::size_t colon = place.find(':'); colon != place.npos;
       colon = place.find(':', colon + 1)) {
    std::uint32_t number = 0;
    const char* const begin = place.data() + colon + 1;
    const char* const end = place.data() + place.size();
    const auto [after, failed] = std::from_chars(begin, end, number);
    if (failed != std::errc{} || after == end || *after != ':') continue;
    error.place = {std::string(place.substr(0, colon)), number, 0};
    const auto name = static_cast<std::size_t>(after + 1 - place.data());
    std::string_view function = place.substr(name);
    if (function.starts_with(' ')) function.remove_prefix(1);
    error.arguments[1].value = Message::plain(std::string(function));
    break;
  }
  return error;
}

}  // namespace

Error error_of(ErrorCode code, MessageArguments arguments) {
  return {code, std::move(arguments), {}};
}

Harm harm_of(cuda::Status status) {
  switch (status) {
    case cuda::kIllegalAddress:
    case cuda::kLaunchTimeout:
    case cuda::kAssert:
    case cuda::kHardwareStackError:
    case cuda::kIllegalInstruction:
    case cuda::kMisalignedAddress:
    case cuda::kInvalidAddressSpace:
    case cuda::kInvalidPc:
    case cuda::kLaunchFailed:
    case cuda::kTensorMemoryLeak: return Harm::context;
    case cuda::kDeinitialized:
    case cuda::kDeviceUnavailable:
    case cuda::kNoDevice:
    case cuda::kInvalidContext:
    case cuda::kEccUncorrectable:
    case cuda::kNvlinkUncorrectable:
    case cuda::kContained:
    case cuda::kContextIsDestroyed:
    case cuda::kUnknown: return Harm::device;
    default: return Harm::none;
  }
}

std::optional<Error> assertion_in(std::string_view said, const FaultedLaunch& launch) {
  while (!said.empty()) {
    const std::size_t end = said.find('\n');
    if (auto error = assertion_in_line(said.substr(0, end), launch)) return error;
    if (end == said.npos) break;
    said.remove_prefix(end + 1);
  }
  return std::nullopt;
}

Error launch_error(cuda::Status status, const std::string& status_name, const FaultedLaunch& launch,
                   std::string_view said) {
  const auto refused = [&](ErrorCode code, Message why) {
    return error_of(code, {{"why", Message{"phrase.why.driver-refuses",
                                           {{"kernel", launch.kernel}, {"why", std::move(why)}},
                                           {}}}});
  };
  switch (status) {
    case cuda::kInvalidValue:
      return refused(ErrorCode::invalid_value, Message{"phrase.why.driver-size", {}, {}});
    case cuda::kLaunchOutOfResources:
      return refused(ErrorCode::launch_out_of_resources,
                     Message{"phrase.why.driver-resources", {}, {}});
    case cuda::kCooperativeLaunchTooLarge:
      return refused(ErrorCode::cooperative_too_large,
                     Message{"phrase.why.driver-cooperative", {}, {}});
    case cuda::kInvalidClusterSize:
      return refused(ErrorCode::invalid_cluster, Message{"phrase.why.driver-cluster", {}, {}});
    case cuda::kOutOfMemory:
      return error_of(ErrorCode::out_of_memory,
                      {{"bytes", Message{"phrase.count.the", {}, {}}},
                       {"name", Message{"phrase.name.local-of", {{"kernel", launch.kernel}}, {}}},
                       {"free", Message{"phrase.count.few", {}, {}}}});
    case cuda::kIllegalAddress:
      return error_of(ErrorCode::gpu_illegal_address, {{"kernel", launch.kernel}});
    case cuda::kMisalignedAddress:
      return error_of(ErrorCode::gpu_misaligned_address, {{"kernel", launch.kernel}});
    case cuda::kLaunchTimeout:
      return error_of(ErrorCode::budget_time, {{"seconds", fmt::format("{:.3g}", launch.seconds)}});
    case cuda::kAssert:
      if (auto assertion = assertion_in(said, launch)) return *assertion;
      break;
    default: break;
  }
  switch (harm_of(status)) {
    case Harm::context:
      return error_of(
          ErrorCode::gpu_fault,
          {{"status", status_name}, {"kernel", launch.kernel}, {"meaning", meaning_of(status)}});
    case Harm::device:
      return error_of(ErrorCode::gpu_lost,
                      {{"status", status_name},
                       {"doing", Message{"phrase.doing.ran", {{"kernel", launch.kernel}}, {}}}});
    case Harm::none: break;
  }
  return error_of(ErrorCode::driver_failed,
                  {{"call", "cuLaunchKernelEx"}, {"status", status_name}});
}

Error call_error(cuda::Status status, const std::string& status_name, std::string_view call) {
  if (harm_of(status) == Harm::device) {
    return error_of(ErrorCode::gpu_lost,
                    {{"status", status_name},
                     {"doing", Message{"phrase.doing.called", {{"call", std::string(call)}}, {}}}});
  }
  return error_of(ErrorCode::driver_failed, {{"call", std::string(call)}, {"status", status_name}});
}

}  // namespace warpbook::device::gpu
