// cuDNN's functions and constants, taken from the library at run time; and its errors in its own words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "device/error.hpp"
#include "device/libraries/problem.hpp"

namespace warpbook::device::libraries {

struct CudnnApi {
#define WARPBOOK_CUDNN(result, name, parameters) result(*name) parameters = nullptr;
#include "device/libraries/cudnn_api.inc"
#undef WARPBOOK_CUDNN
};

namespace cudnn {
inline constexpr int kSuccess = 0;
#define WARPBOOK_CUDNN_CONSTANT(name, its_name, value) inline constexpr int name = value;
#include "device/libraries/cudnn_constants.inc"
#undef WARPBOOK_CUDNN_CONSTANT

/// FP32 and TF32 are both kFloat in memory.
int type_of(Precision precision);
}  // namespace cudnn

/// "CUDNN_STATUS_BAD_PARAM: xDimA[dim] <= 0".
std::string words_of(const CudnnApi& api, int status);
/// library_refused.
tl::unexpected<Error> cudnn_refused(Message why, Message words);
/// Nothing where `status` is success.
/// `why` is a key below phrase.why, for a call that failed.
Expected<void> cudnn_checked(const CudnnApi& api, int status, const char* why);

}  // namespace warpbook::device::libraries
