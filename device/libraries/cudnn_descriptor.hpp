// A descriptor of cuDNN's graph API: made, filled, finished; destroyed with its owner.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/libraries/cudnn_api.hpp"

namespace warpbook::device::libraries {

class CudnnDescriptor {
 public:
  CudnnDescriptor() = default;
  CudnnDescriptor(const CudnnApi& api, int type);
  CudnnDescriptor(CudnnDescriptor&& other) noexcept { swap(other); }
  CudnnDescriptor& operator=(CudnnDescriptor&& other) noexcept {
    swap(other);
    return *this;
  }
  ~CudnnDescriptor();

  /// The first of these to fail is kept, and finish() tells.
  CudnnDescriptor& set(int attribute, int type, std::int64_t count, const void* values);
  CudnnDescriptor& set_type(int attribute, int data_type);
  CudnnDescriptor& set_float(int attribute, float value);
  CudnnDescriptor& set_numbers(int attribute, std::span<const std::int64_t> values);
  CudnnDescriptor& set_number(int attribute, std::int64_t value) {
    return set_numbers(attribute, {&value, 1});
  }
  /// Handles or device addresses.
  CudnnDescriptor& set_pointers(int attribute, int type, std::span<void* const> values);
  CudnnDescriptor& set_descriptor(int attribute, const CudnnDescriptor& other);
  CudnnDescriptor& set_text(int attribute, const std::string& text);
  /// Finalises. Error: library_refused, with `why` in our words.
  Expected<void> finish(const char* why);

  [[nodiscard]] std::int64_t number(int attribute) const;
  /// At most `most` values of an enumeration.
  [[nodiscard]] std::vector<int> enumerators(int attribute, int type, int most) const;
  [[nodiscard]] std::string text(int attribute) const;
  /// All descriptors of an attribute that may have many, each of `type`; those that cuDNN gives in fact.
  [[nodiscard]] std::vector<CudnnDescriptor> descriptors(int attribute, int type) const;
  [[nodiscard]] void* raw() const { return raw_; }

 private:
  void swap(CudnnDescriptor& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(raw_, other.raw_);
    std::swap(words_, other.words_);
  }
  void note(int status);
  const CudnnApi* api_ = nullptr;
  void* raw_ = nullptr;
  std::string words_;  // of the first failure
};

}  // namespace warpbook::device::libraries
