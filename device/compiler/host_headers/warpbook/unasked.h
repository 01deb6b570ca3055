#pragma once
#include <stdlib.h>
#include <limits.h>
#include <cstdlib>
#include <cmath>
#include <algorithm>
