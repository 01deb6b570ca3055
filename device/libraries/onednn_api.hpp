// oneDNN's C functions, taken from the library at run time, with the types of Debian's own header.
#pragma once

#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl_debug.h>

#include <string>

#include "device/error.hpp"

namespace warpbook::device::libraries {

struct OneDnnApi {
#define WARPBOOK_ONEDNN(name) decltype(&dnnl_##name) name = nullptr;
#include "device/libraries/onednn_api.inc"
#undef WARPBOOK_ONEDNN
};

/// A handle of oneDNN's that is destroyed with it.
template <class Raw, auto Destroy>
class OneDnnHandle {
 public:
  OneDnnHandle() = default;
  explicit OneDnnHandle(const OneDnnApi& api) : api_(&api) {}
  OneDnnHandle(OneDnnHandle&& other) noexcept : api_(other.api_), raw_(other.raw_) {
    other.raw_ = nullptr;
  }
  OneDnnHandle& operator=(OneDnnHandle&& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~OneDnnHandle() {
    if (raw_ != nullptr) (api_->*Destroy)(raw_);
  }
  [[nodiscard]] Raw get() const { return raw_; }
  /// For the function that makes it.
  Raw* out() { return &raw_; }

 private:
  const OneDnnApi* api_ = nullptr;
  Raw raw_ = nullptr;
};

using OneDnnMemory = OneDnnHandle<dnnl_memory_t, &OneDnnApi::memory_destroy>;
using OneDnnChoice = OneDnnHandle<dnnl_primitive_desc_t, &OneDnnApi::primitive_desc_destroy>;
using OneDnnPrimitive = OneDnnHandle<dnnl_primitive_t, &OneDnnApi::primitive_destroy>;

/// library_refused, in oneDNN's own words.
tl::unexpected<Error> onednn_refused(const OneDnnApi& api, dnnl_status_t status, Message why);

/// A layout as oneDNN writes it: "aBcd16b" is N, C in blocks of 16, H, W.
std::string layout_name(const dnnl_memory_desc_t& tensor);

}  // namespace warpbook::device::libraries
