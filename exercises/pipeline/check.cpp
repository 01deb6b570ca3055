// pipeline: a program whose copies and kernels overlap, chunk by chunk.
#include "exercises/pipelines.hpp"

namespace warpbook::exercises {

lab::Exercise pipeline() { return {"pipeline", check_pipeline}; }

}  // namespace warpbook::exercises
