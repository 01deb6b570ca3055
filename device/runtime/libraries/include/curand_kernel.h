// In the place of NVIDIA's header, where that is not here: cuRAND's side on the device is code of NVIDIA's, which ours does not copy.
#if __has_include_next(<curand_kernel.h>)
#include_next <curand_kernel.h>
#else
#error "curand_kernel.h is NVIDIA's, and not here; ./warpbook fetch libraries gets it"
#endif
