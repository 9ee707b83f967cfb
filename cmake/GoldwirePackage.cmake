# SPDX-License-Identifier: BSD-2-Clause
# What `cmake --install` and CPack put where.
