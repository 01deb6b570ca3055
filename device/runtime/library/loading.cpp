#include "device/runtime/library/loading.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

namespace warpbook::device::runtime {
namespace {

// CUjit_option and cudaJitOption
constexpr int kInformationBuffer = 3, kInformationBytes = 4, kErrorBuffer = 5, kErrorBytes = 6;

/// What the driver's linker gives begins so; a number follows. A program passes it on and does not look into it.
constexpr std::string_view kLinkedMagic = "warpbook: linked images ";

struct Linked {
  std::mutex mutex;
  std::map<std::string, std::vector<std::string>, std::less<>> images;  ///< by what stands for them
};
Linked& linked() {
  static auto* const all = new Linked;
  return *all;
}

bool find_linked(const char* image, std::vector<std::string>& images) {
  if (std::strncmp(image, kLinkedMagic.data(), kLinkedMagic.size()) != 0) return false;
  const std::lock_guard lock(linked().mutex);
  const auto found = linked().images.find(std::string_view(image));
  if (found == linked().images.end()) return false;
  images = found->second;
  return true;
}

}  // namespace

JitLogs::JitLogs(const std::vector<int>& options, void** values) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    switch (options[i]) {
      case kInformationBuffer: information_.text = static_cast<char*>(values[i]); break;
      case kInformationBytes: information_.bytes = &values[i]; break;
      case kErrorBuffer: errors_.text = static_cast<char*>(values[i]); break;
      case kErrorBytes: errors_.bytes = &values[i]; break;
      default: break;
    }
  }
}

void JitLogs::fill(const Buffer& buffer, const std::string& text) {
  if (!buffer.bytes) return;
  // The size is the value itself, which is as wide as a pointer.
  const auto room = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(*buffer.bytes));
  const std::size_t kept =
      buffer.text && room != 0 ? std::min<std::size_t>(text.size(), room - 1) : 0;
  if (buffer.text && room != 0) {
    std::memcpy(buffer.text, text.data(), kept);
    buffer.text[kept] = '\0';
  }
  *buffer.bytes = reinterpret_cast<void*>(kept);
}

void JitLogs::write(const std::string& errors) const {
  fill(errors_, errors);
  fill(information_, "");
}

cudaError_t load_at(Call& call, const void* image, const Context* context, LoadedCode*& code,
                    const JitLogs& logs) {
  std::vector<std::string> images;
  std::string log;
  if (!find_linked(static_cast<const char*>(image), images)) {
    images.emplace_back();
    if (const cudaError_t error = image_at(image, images.back())) return error;
  }
  const cudaError_t error = load_code(call, std::move(images), context, code, log);
  logs.write(log);
  return error;
}

cudaError_t read_image(const char* file, std::string& bytes) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return cudaErrorFileNotFound;
  bytes.assign(std::istreambuf_iterator<char>(stream), {});
  return cudaSuccess;
}

std::string keep_linked(const std::vector<std::string>& images) {
  const std::lock_guard lock(linked().mutex);
  std::string name = std::string(kLinkedMagic) + std::to_string(linked().images.size());
  linked().images[name] = images;
  return name;
}

}  // namespace warpbook::device::runtime
