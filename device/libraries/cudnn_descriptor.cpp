#include "device/libraries/cudnn_descriptor.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace warpbook::device::libraries {

int cudnn::type_of(Precision precision) {
  switch (precision) {
    case Precision::fp16: return kHalf;
    case Precision::bf16: return kBfloat16;
    default: return kFloat;
  }
}

std::string words_of(const CudnnApi& api, int status) {
  std::array<char, 1024> text{};
  api.GetLastErrorString(text.data(), text.size());
  const std::string_view last(text.data());
  return fmt::format("{}{}{}", api.GetErrorString(status), last.empty() ? "" : ": ", last);
}

tl::unexpected<Error> cudnn_refused(Message why, Message words) {
  return failure(ErrorCode::library_refused,
                 {{"library", "cuDNN"}, {"why", std::move(why)}, {"words", std::move(words)}});
}

Expected<void> cudnn_checked(const CudnnApi& api, int status, const char* why) {
  if (status == cudnn::kSuccess) return {};
  return cudnn_refused({"phrase.why." + std::string(why), {}, {}},
                       Message::plain(words_of(api, status)));
}

CudnnDescriptor::CudnnDescriptor(const CudnnApi& api, int type) : api_(&api) {
  note(api.BackendCreateDescriptor(type, &raw_));
}

CudnnDescriptor::~CudnnDescriptor() {
  if (raw_ != nullptr) api_->BackendDestroyDescriptor(raw_);
}

void CudnnDescriptor::note(int status) {
  if (status != cudnn::kSuccess && words_.empty()) words_ = words_of(*api_, status);
}

CudnnDescriptor& CudnnDescriptor::set(int attribute, int type, std::int64_t count,
                                      const void* values) {
  if (words_.empty()) note(api_->BackendSetAttribute(raw_, attribute, type, count, values));
  return *this;
}

CudnnDescriptor& CudnnDescriptor::set_type(int attribute, int data_type) {
  return set(attribute, cudnn::kTypeDataType, 1, &data_type);
}

CudnnDescriptor& CudnnDescriptor::set_float(int attribute, float value) {
  return set(attribute, cudnn::kTypeFloat, 1, &value);
}

CudnnDescriptor& CudnnDescriptor::set_numbers(int attribute, std::span<const std::int64_t> values) {
  return set(attribute, cudnn::kTypeInt64, static_cast<std::int64_t>(values.size()), values.data());
}

CudnnDescriptor& CudnnDescriptor::set_pointers(int attribute, int type,
                                               std::span<void* const> values) {
  return set(attribute, type, static_cast<std::int64_t>(values.size()),
             reinterpret_cast<const void*>(values.data()));
}

CudnnDescriptor& CudnnDescriptor::set_descriptor(int attribute, const CudnnDescriptor& other) {
  return set_pointers(attribute, cudnn::kTypeDescriptor, {&other.raw_, 1});
}

CudnnDescriptor& CudnnDescriptor::set_text(int attribute, const std::string& text) {
  // The zero at the end counts.
  return set(attribute, cudnn::kTypeChar, static_cast<std::int64_t>(text.size()) + 1, text.c_str());
}

Expected<void> CudnnDescriptor::finish(const char* why) {
  if (words_.empty()) note(api_->BackendFinalize(raw_));
  if (!words_.empty())
    return cudnn_refused({"phrase.why." + std::string(why), {}, {}}, Message::plain(words_));
  return {};
}

std::int64_t CudnnDescriptor::number(int attribute) const {
  std::int64_t value = 0, count = 0;
  api_->BackendGetAttribute(raw_, attribute, cudnn::kTypeInt64, 1, &count, &value);
  return value;
}

std::vector<int> CudnnDescriptor::enumerators(int attribute, int type, int most) const {
  std::vector<int> values(static_cast<std::size_t>(most));
  std::int64_t count = 0;
  if (api_->BackendGetAttribute(raw_, attribute, type, most, &count, values.data()) !=
      cudnn::kSuccess) {
    count = 0;
  }
  values.resize(static_cast<std::size_t>(std::min<std::int64_t>(count, most)));
  return values;
}

std::string CudnnDescriptor::text(int attribute) const {
  constexpr std::int64_t kMost = 1 << 16;
  std::string text(kMost, '\0');
  std::int64_t count = 0;
  if (api_->BackendGetAttribute(raw_, attribute, cudnn::kTypeChar, kMost, &count, text.data()) !=
      cudnn::kSuccess) {
    return {};
  }
  text.resize(text.find('\0') == std::string::npos ? static_cast<std::size_t>(count)
                                                   : text.find('\0'));
  return text;
}

std::vector<CudnnDescriptor> CudnnDescriptor::descriptors(int attribute, int type) const {
  std::int64_t count = 0;
  if (api_->BackendGetAttribute(raw_, attribute, cudnn::kTypeDescriptor, 0, &count, nullptr) !=
          cudnn::kSuccess ||
      count <= 0) {
    return {};
  }
  std::vector<CudnnDescriptor> found;
  std::vector<void*> raw;
  for (std::int64_t i = 0; i < count; ++i) raw.push_back(found.emplace_back(*api_, type).raw());
  if (api_->BackendGetAttribute(raw_, attribute, cudnn::kTypeDescriptor, count, &count,
                                reinterpret_cast<void*>(raw.data())) != cudnn::kSuccess) {
    return {};
  }
  found.erase(found.begin() + count, found.end());
  return found;
}

}  // namespace warpbook::device::libraries
