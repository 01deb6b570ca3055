#include "device/runtime/libraries/kernels.hpp"

#include <charconv>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): nvcc's own names
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name,
                            int thread_limit, void*, void*, void*, void*, int*);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace warpbook::device::libraries {
namespace {

// The form of a fat binary, as device/runtime/fat_binary.cpp reads it.
struct Header {
  std::uint32_t magic = 0xba55ed50;
  std::uint16_t version = 1, header_bytes = sizeof(Header);
  std::uint64_t bytes = 0;
};
struct Entry {
  std::uint16_t kind = 1, attributes = 0x0101;  // PTX, not compressed
  std::uint32_t header_bytes = sizeof(Entry);
  std::uint64_t bytes = 0;
  std::uint32_t compressed_bytes = 0, options = 0;
  std::uint16_t minor = 0, major = 0;
  std::uint32_t architecture = 0, name_offset = 0, name_bytes = 0;
  std::uint64_t flags = 0, unused = 0, plain_bytes = 0;
};
constexpr std::size_t kAlignment = 8;

/// 75 of ".target sm_75"
std::uint32_t architecture_of(std::string_view ptx) {
  constexpr std::string_view kTarget = ".target sm_";
  std::uint32_t architecture = 0;
  if (const auto at = ptx.find(kTarget); at != ptx.npos) {
    const std::string_view number = ptx.substr(at + kTarget.size());
    std::from_chars(number.data(), number.data() + number.size(), architecture);
  }
  return architecture;
}

std::string fat_binary_of(std::string_view ptx) {
  std::string text(ptx);
  text.resize((text.size() / kAlignment + 1) * kAlignment, '\0');
  Entry entry;
  entry.bytes = text.size();
  entry.architecture = architecture_of(ptx);
  Header header;
  header.bytes = sizeof entry + text.size();
  std::string image(reinterpret_cast<const char*>(&header), sizeof header);
  image.append(reinterpret_cast<const char*>(&entry), sizeof entry);
  return image + text;
}

}  // namespace

Kernels::Kernels(std::string_view ptx) : image_(fat_binary_of(ptx)) {
  wrapper_.data = image_.data();
  void** const handle = __cudaRegisterFatBinary(&wrapper_);
  constexpr std::string_view kEntry = ".entry ";
  for (std::size_t at = 0; (at = ptx.find(kEntry, at)) != ptx.npos;) {
    at += kEntry.size();
    const std::string name(ptx.substr(at, ptx.find('(', at) - at));
    const std::string& kept = functions_.emplace(name, name).first->second;
    __cudaRegisterFunction(handle, kept.c_str(), nullptr, kept.c_str(), -1, nullptr, nullptr,
                           nullptr, nullptr, nullptr);
  }
  __cudaRegisterFatBinaryEnd(handle);
}

const void* Kernels::function_of(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second.c_str();
}

}  // namespace warpbook::device::libraries
